#include "analysis/rules.h"

#include <array>

namespace tacit::analysis {
namespace {

constexpr std::array kAllRules = {
    &rules::kRowsOut,          &rules::kHiddenColumn,       &rules::kUnitAsKey,
    &rules::kNoBounds,         &rules::kGridTooFine,        &rules::kAggregateWithoutRule,
    &rules::kNestedAggregate,  &rules::kMisplacedAggregate, &rules::kFunctionWithoutRule,
    &rules::kWrongType,        &rules::kJoinWithoutRule,    &rules::kLimitBelow,
    &rules::kDistinctOn,       &rules::kWindowBelow,        &rules::kSetOperationBelow,
    &rules::kSubqueryOverRows, &rules::kCorrelatedSubquery, &rules::kSetBelow,
    &rules::kUngroupedColumn,  &rules::kUnknownTable,       &rules::kUnknownColumn,
    &rules::kAmbiguousName,    &rules::kWrongShape,         &rules::kParameter,
    &rules::kKeyType,          &rules::kParentKey,          &rules::kTooManyKeys,
    &rules::kTypeWithoutRule,  &rules::kPublicRowsCounted,  &rules::kInvalidQuery,
    &rules::kJoinThroughOr,    &rules::kJoinOnComputedUnit, &rules::kJoinOnSameName,
    &rules::kFullJoin,         &rules::kPublicJoin,         &rules::kTooManyRows,
    &rules::kTooLarge,         &rules::kComputedTableJoin,  &rules::kNotPrepared,
    &rules::kRecursiveQuery,
};

}  // namespace

std::span<const Rule* const> AllRules() { return kAllRules; }

Error Refuse(const Rule& rule, sql::Position position, std::string message, std::string hint) {
  Error error{.code = rule.code,
              .public_message = std::move(message),
              .hint = std::move(hint),
              .position = std::nullopt,
              .private_detail = ""};
  if (position.offset >= 0) error.position = position.offset;
  error.rule = rule.name;
  return error;
}

}  // namespace tacit::analysis
