#include "gateway/kept/plan_key.h"

#include "base/time/time_zone.h"

namespace tacit::gateway {
namespace {

// Lengths before texts: no two lists of parts give the same key.
void Append(std::string& key, const std::string& part) {
  key += std::to_string(part.size());
  key += ':';
  key += part;
}

bool AppendValue(std::string& key, const sql::Expression& value) {
  if (const auto* cast = sql::As<sql::Cast>(value)) {
    key += 'c' + std::to_string(static_cast<int>(cast->type.kind)) + ',' +
           std::to_string(cast->type.precision) + ',' + std::to_string(cast->type.scale) + ' ';
    return AppendValue(key, cast->operand);
  }
  const auto* literal = sql::As<sql::Literal>(value);
  if (literal == nullptr || literal->kind == sql::LiteralKind::kInterval) return false;
  key += 'v' + std::to_string(static_cast<int>(literal->kind)) + ' ';
  Append(key, literal->text);
  return true;
}

}  // namespace

std::optional<std::string> PlanKey(const Request& request) {
  std::string key;
  Append(key, request.text);
  for (const sql::Expression& value : request.parameters) {
    if (!AppendValue(key, value)) return std::nullopt;
  }
  const plan::Wish& wish = request.wish;
  if (request.now) key += "|n" + std::to_string(*request.now);
  if (request.zone != nullptr && request.zone != TimeZone::Utc())
    Append(key += "|z", request.zone->name());
  key += wish.intervals ? "|i" : "|";
  if (wish.nonnegative) key += "|p";
  if (wish.epsilon) key += "|e" + ToString(wish.epsilon->value);
  if (wish.error) key += "|w" + plan::ErrorText(*wish.error);
  if (wish.first_step) key += "|f" + ToString(wish.first_step->value);
  if (wish.delta) key += "|d" + ToString(wish.delta->value);
  return key;
}

}  // namespace tacit::gateway
