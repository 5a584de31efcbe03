#include "sql/constants/moment.h"

#include <string_view>
#include <utility>

#include "sql/change.h"
#include "sql/constants/calendar.h"
#include "sql/constants/zone.h"

namespace tacit::sql {
namespace {

// All of them are when the transaction began: rounded as they are, a statement has no other time.
constexpr std::pair<std::string_view, LiteralKind> kNames[] = {
    {"now", LiteralKind::kTimestampTz},
    {"current_timestamp", LiteralKind::kTimestampTz},
    {"transaction_timestamp", LiteralKind::kTimestampTz},
    {"statement_timestamp", LiteralKind::kTimestampTz},
    {"localtimestamp", LiteralKind::kTimestamp},
    {"current_date", LiteralKind::kDate}};

std::optional<LiteralKind> KindOf(const Call& call) {
  for (const auto& [name, kind] : kNames) {
    if (call.name == name && call.arguments.empty()) return kind;
  }
  return std::nullopt;
}

Error NoMoment(Position position) {
  return Error{
      .code = ErrorCode::kUnsupported,
      .public_message = "the current date or time is not supported here",
      .hint = "Write the date itself: DATE '2024-01-31'",
      .position = position.offset >= 0 ? std::optional<int>(position.offset) : std::nullopt,
      .private_detail = ""};
}

// age(x) is the time since x, from the midnight at which today began.
bool IsAgeNow(const Call& call) { return call.name == "age" && call.arguments.size() == 1; }

}  // namespace

Result<Query> AtMoment(const Query& query, std::optional<int64_t> moment, const TimeZone* zone) {
  std::optional<Error> missing;
  const auto literal_of = [&](LiteralKind kind) {
    const bool shown = zone != nullptr && kind != LiteralKind::kTimestampTz;
    return InstantLiteral(kind, shown ? ShownAt(*zone, *moment) : *moment);
  };
  Query changed = ChangeExpressions(query, [&](const Expression& node) {
    const auto* call = As<Call>(node);
    if (call == nullptr) return node;
    const bool age = IsAgeNow(*call);
    const std::optional<LiteralKind> kind = age ? LiteralKind::kDate : KindOf(*call);
    if (!kind) return node;
    const std::optional<Literal> literal = moment ? literal_of(*kind) : std::nullopt;
    if (!literal) {
      if (!missing) missing = NoMoment(node->position);
      return node;
    }
    Expression now = MakeExpression(*literal, node->position);
    if (!age) return now;
    return MakeExpression(Call{"age", {std::move(now), call->arguments[0]}}, node->position);
  });
  if (missing) return *missing;
  return changed;
}

bool IsMomentWord(const std::string& name) {
  return name == "current_date" || name == "current_timestamp" || name == "localtimestamp";
}

}  // namespace tacit::sql
