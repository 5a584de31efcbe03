#include "ledger/record/record_json.h"

#include <limits>
#include <stdexcept>

namespace tacit::ledger {

void Write(const Cost& cost, JsonText& json) {
  json.Open('{');
  json.Key("epsilon").Text(ToString(cost.epsilon));
  json.Key("delta").Text(ToString(cost.delta));
  json.Key("rho").Text(ToString(cost.rho));
  json.Close('}');
}

void Write(const std::optional<Budget>& budget, JsonText& json) {
  if (!budget) {
    json.Null();
    return;
  }
  json.Open('{');
  json.Key("epsilon").Text(ToString(budget->epsilon));
  json.Key("delta").Text(ToString(budget->delta));
  json.Close('}');
}

void Write(const std::optional<Cost>& capacity, JsonText& json) {
  if (!capacity) {
    json.Null();
    return;
  }
  Write(*capacity, json);
}

void Write(const std::vector<Rational>& numbers, JsonText& json) {
  json.Open('[');
  for (const Rational& number : numbers) json.Text(ToString(number));
  json.Close(']');
}

void Write(const Declarations& declarations, JsonText& json) {
  json.Open('{').Key("terms").Text(declarations.terms).Key("units").Open('{');
  for (const auto& [table, unit] : declarations.units) json.Key(table).Text(unit);
  json.Close('}').Close('}');
}

void WriteMembers(const BookEntry& entry, JsonText& json) {
  Write(entry.spent, json.Key("spent"));
  Write(entry.budget, json.Key("budget"));
  Write(entry.capacity, json.Key("capacity"));
  json.Key("charges").Number(entry.charges);
}

Rational ReadNumber(const Json& json) {
  Result<Rational> number = ParseRational(json.get_ref<const std::string&>());
  if (!number.ok()) throw std::invalid_argument(number.error().public_message);
  if (*number < 0) throw std::invalid_argument("a number is negative");
  return std::move(number).value();
}

int64_t ReadWhole(const Json& json, int64_t least) {
  const bool fits = json.is_number_integer() &&
                    (!json.is_number_unsigned() ||
                     json.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()});
  if (!fits || json.get<int64_t>() < least) throw std::invalid_argument("no whole number");
  return json.get<int64_t>();
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
