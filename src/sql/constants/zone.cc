#include "sql/constants/zone.h"

#include <algorithm>

#include "sql/change.h"
#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

constexpr int64_t kSecondMicroseconds = 1'000'000;

int64_t SecondOf(int64_t microseconds) {
  const int64_t second = microseconds / kSecondMicroseconds;
  return microseconds % kSecondMicroseconds < 0 ? second - 1 : second;
}

bool IsReadByClocks(const Literal& literal) {
  return literal.kind == LiteralKind::kString || literal.kind == LiteralKind::kDate ||
         literal.kind == LiteralKind::kTimestamp || literal.kind == LiteralKind::kTimestampTz;
}

}  // namespace

Query InZone(const Query& query, const std::shared_ptr<const TimeZone>& zone) {
  if (zone == nullptr || zone == TimeZone::Utc()) return query;
  return ChangeExpressions(query, [&](const Expression& node) {
    const auto* literal = As<Literal>(node);
    if (literal == nullptr || !IsReadByClocks(*literal)) return node;
    Literal read = *literal;
    read.zone = zone;
    return MakeExpression(std::move(read), node->position);
  });
}

Values WithInstants(const Values& values) {
  Values changed = values;
  for (size_t i = 0; i < values.rows.front().size(); ++i) {
    const auto is_instant = [i](const std::vector<Expression>& row) {
      const auto* literal = As<Literal>(row[i]);
      return literal != nullptr && literal->kind == LiteralKind::kTimestampTz;
    };
    if (std::none_of(values.rows.begin(), values.rows.end(), is_instant)) continue;
    for (std::vector<Expression>& row : changed.rows) {
      const auto* literal = As<Literal>(row[i]);
      const std::optional<Literal> instant =
          literal == nullptr ? std::nullopt
                             : constants::FoldCast(*literal, Simple(TypeKind::kTimestampTz));
      if (instant) row[i] = MakeExpression(*instant, row[i]->position);
    }
  }
  return changed;
}

int64_t InstantAt(const TimeZone& zone, int64_t shown) {
  const int64_t second = SecondOf(shown);
  return zone.ToUtc(second) * kSecondMicroseconds + (shown - second * kSecondMicroseconds);
}

int64_t ShownAt(const TimeZone& zone, int64_t instant) {
  return instant + zone.At(SecondOf(instant)).seconds * kSecondMicroseconds;
}

std::optional<int64_t> UtcOf(const Literal& literal) {
  const std::optional<int64_t> instant = InstantOf(literal);
  const bool shown =
      instant && literal.zone != nullptr && literal.kind != LiteralKind::kTimestampTz;
  return shown ? InstantAt(*literal.zone, *instant) : instant;
}

std::optional<int64_t> ShownOf(const Literal& literal) {
  const std::optional<int64_t> instant = InstantOf(literal);
  const bool zoned =
      instant && literal.zone != nullptr && literal.kind == LiteralKind::kTimestampTz;
  return zoned ? ShownAt(*literal.zone, *instant) : instant;
}

std::optional<Literal> AsShown(LiteralKind kind, int64_t shown,
                               const std::shared_ptr<const TimeZone>& zone) {
  const bool zoned = zone != nullptr && kind == LiteralKind::kTimestampTz;
  std::optional<Literal> literal = InstantLiteral(kind, zoned ? InstantAt(*zone, shown) : shown);
  if (literal) literal->zone = zone;
  return literal;
}

}  // namespace tacit::sql
