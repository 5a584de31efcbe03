#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "sql/tree.h"

// Every rule by which analysis refuses, under the name that docs and golden tests know it by. A
// refusal names its rule, the place in the query, and a query that would pass.
namespace tacit::analysis {

struct Rule {
  const char* name;
  ErrorCode code;
  const char* statement;  // what the rule says, in one sentence
};

namespace rules {
inline constexpr Rule kRowsOut{"rows_out", ErrorCode::kRefused,
                               "Rows of people never leave; only aggregates over them do."};
inline constexpr Rule kHiddenColumn{
    "hidden_column", ErrorCode::kRefused,
    "A hidden column serves joins along the unit and count(DISTINCT ...), and nothing else."};
inline constexpr Rule kUnitAsKey{"unit_as_key", ErrorCode::kRefused,
                                 "A group key must not be computed from the privacy unit."};
inline constexpr Rule kNoBounds{"no_bounds", ErrorCode::kRefused,
                                "A summand needs a range, from the policy or from the query."};
inline constexpr Rule kGridTooFine{"grid_too_fine", ErrorCode::kRefused,
                                   "A summand's range must fit its grid in 2^62 steps."};
inline constexpr Rule kAggregateWithoutRule{
    "aggregate_without_rule", ErrorCode::kUnsupported,
    "Only aggregates with a sensitivity rule are computed over protected rows."};
inline constexpr Rule kNestedAggregate{"nested_aggregate", ErrorCode::kInvalidQuery,
                                       "An aggregate cannot be the argument of another."};
inline constexpr Rule kMisplacedAggregate{
    "misplaced_aggregate", ErrorCode::kInvalidQuery,
    "Aggregates stand in the select list, HAVING and ORDER BY only."};
inline constexpr Rule kFunctionWithoutRule{
    "function_without_rule", ErrorCode::kUnsupported,
    "Only listed functions and operators run, each in a form that cannot fail."};
inline constexpr Rule kWrongType{"wrong_type", ErrorCode::kInvalidQuery,
                                 "Operands must have the types their function takes."};
inline constexpr Rule kJoinWithoutRule{
    "join_without_rule", ErrorCode::kRefused,
    "Protected tables are joined on the privacy unit only, by a plain equality."};
inline constexpr Rule kTooManyRows{"too_many_rows_per_unit", ErrorCode::kRefused,
                                   "Joins must not multiply one person's rows beyond 2^14, or 2^24 "
                                   "bytes of query: the time they take would tell of them."};
inline constexpr Rule kTooLarge{
    "too_large", ErrorCode::kUnsupported,
    "A query reads protected tables at most 128 times, common tables written out."};
inline constexpr Rule kJoinThroughOr{
    "join_through_or", ErrorCode::kRefused,
    "Under OR an equality of units does not hold for every pair of rows."};
inline constexpr Rule kJoinOnComputedUnit{
    "join_on_computed_unit", ErrorCode::kRefused,
    "What casts or arithmetic make of two units may be equal where the people are not."};
inline constexpr Rule kJoinOnSameName{
    "join_on_same_name", ErrorCode::kRefused,
    "A column of the unit's name that is not the unit joins rows of different people."};
inline constexpr Rule kFullJoin{
    "full_join", ErrorCode::kRefused,
    "A FULL join makes rows that belong to nobody, or to whoever is missing on one side."};
inline constexpr Rule kPublicJoin{
    "public_join", ErrorCode::kRefused,
    "A public table meets each protected row at most once, by an equality with its columns."};
inline constexpr Rule kComputedTableJoin{
    "computed_table_join", ErrorCode::kRefused,
    "Protected rows are joined with stored tables and VALUES, not with results."};
inline constexpr Rule kPublicRowsCounted{
    "public_rows_counted", ErrorCode::kRefused,
    "Rows of a public table that match nobody are keys, never counted."};
inline constexpr Rule kLimitBelow{
    "limit_below", ErrorCode::kRefused,
    "LIMIT and OFFSET below an aggregate let one person decide which others count."};
inline constexpr Rule kDistinctOn{
    "distinct_on", ErrorCode::kRefused,
    "DISTINCT ON over protected rows lets one person decide which others count."};
inline constexpr Rule kWindowBelow{
    "window_below", ErrorCode::kRefused,
    "A window over protected rows mixes people, unless it is partitioned by the unit."};
inline constexpr Rule kSetOperationBelow{
    "set_operation_below", ErrorCode::kRefused,
    "Set operations over protected rows compare people with each other."};
inline constexpr Rule kSubqueryOverRows{
    "subquery_over_rows", ErrorCode::kRefused,
    "Protected rows must not steer another query through IN, EXISTS or a scalar subquery."};
inline constexpr Rule kCorrelatedSubquery{
    "correlated_subquery", ErrorCode::kRefused,
    "A subquery must not depend on the protected row around it."};
inline constexpr Rule kSetBelow{
    "in_subquery_below", ErrorCode::kUnsupported,
    "Over protected rows IN compares whole numbers, texts, dates and truth values with a result."};
inline constexpr Rule kRecursiveQuery{
    "recursive_query", ErrorCode::kRefused,
    "A recursive query reads public tables and results only, and steps from itself in FROM."};
inline constexpr Rule kUngroupedColumn{
    "ungrouped_column", ErrorCode::kInvalidQuery,
    "Outside aggregates a grouped query shows its group keys only."};
inline constexpr Rule kUnknownTable{"unknown_table", ErrorCode::kInvalidQuery,
                                    "A table that the policy does not list does not exist."};
inline constexpr Rule kUnknownColumn{"unknown_column", ErrorCode::kInvalidQuery,
                                     "A column must be in a table of the query."};
inline constexpr Rule kAmbiguousName{"ambiguous_name", ErrorCode::kInvalidQuery,
                                     "A name must mean one thing."};
inline constexpr Rule kWrongShape{"wrong_shape", ErrorCode::kInvalidQuery,
                                  "Lists of columns must have the length that is expected."};
inline constexpr Rule kParameter{"parameter", ErrorCode::kUnsupported,
                                 "A query is analysed with all its values in place."};
inline constexpr Rule kKeyType{"key_type", ErrorCode::kInvalidArgument,
                               "Declared keys must be values of their column's type."};
inline constexpr Rule kParentKey{
    "parent_key", ErrorCode::kRefused,
    "A foreign key leads to a person only if nothing can give the key it names to a second one."};
inline constexpr Rule kNotPrepared{
    "not_prepared", ErrorCode::kRefused,
    "Where the policy says so, a table with a cap is read as tacit prepare stored it or not at "
    "all: the time would tell of rows above the cap."};
inline constexpr Rule kTooManyKeys{"too_many_keys", ErrorCode::kRefused,
                                   "Public keys are combined to at most a million groups."};
inline constexpr Rule kTypeWithoutRule{"type_without_rule", ErrorCode::kUnsupported,
                                       "Lists, structs, blobs and times of day have no rules."};
inline constexpr Rule kInvalidQuery{
    "invalid_query", ErrorCode::kInvalidQuery,
    "Above the frontier PostgreSQL's rules for names and types hold."};
}  // namespace rules

// All of them, in the order above.
std::span<const Rule* const> AllRules();

Error Refuse(const Rule& rule, sql::Position position, std::string message, std::string hint);

}  // namespace tacit::analysis
