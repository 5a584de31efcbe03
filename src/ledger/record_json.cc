#include "ledger/record_json.h"

#include <stdexcept>

namespace tacit::ledger {

// Member by member, here and wherever a charge writes: Json's lists in braces copy every value.

Json ToJson(const Cost& cost) {
  Json json;
  json["epsilon"] = ToString(cost.epsilon);
  json["delta"] = ToString(cost.delta);
  json["rho"] = ToString(cost.rho);
  return json;
}

Json ToJson(const std::optional<Budget>& budget) {
  if (!budget) return nullptr;
  Json json;
  json["epsilon"] = ToString(budget->epsilon);
  json["delta"] = ToString(budget->delta);
  return json;
}

Json ToJson(const std::optional<Cost>& capacity) {
  return capacity ? ToJson(*capacity) : Json(nullptr);
}

Json ToJson(const std::vector<Rational>& numbers) {
  Json json = Json::array();
  for (const Rational& number : numbers) json.push_back(ToString(number));
  return json;
}

Json ToJson(const Declarations& declarations) {
  Json units = Json::object();
  for (const auto& [table, unit] : declarations.units) units[table] = unit;
  return {{"terms", declarations.terms}, {"units", std::move(units)}};
}

Rational ReadNumber(const Json& json) {
  Result<Rational> number = ParseRational(json.get_ref<const std::string&>());
  if (!number.ok()) throw std::invalid_argument(number.error().public_message);
  if (*number < 0) throw std::invalid_argument("a number is negative");
  return std::move(number).value();
}

Cost ReadCost(const Json& json) {
  return {.epsilon = ReadNumber(json.at("epsilon")),
          .delta = ReadNumber(json.at("delta")),
          .rho = ReadNumber(json.at("rho"))};
}

std::optional<Budget> ReadBudget(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Budget{.epsilon = ReadNumber(json.at("epsilon")), .delta = ReadNumber(json.at("delta"))};
}

std::optional<Cost> ReadCapacity(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(ReadCost(json));
}

Declarations ReadDeclarations(const Json& json) {
  Declarations declarations{.terms = json.at("terms").get<std::string>(), .units = {}};
  for (const auto& [table, unit] : json.at("units").items()) {
    declarations.units[table] = unit.get<std::string>();
  }
  return declarations;
}

}  // namespace tacit::ledger
