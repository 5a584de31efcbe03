// Reads queries, one JSON object a line ({"sql": ..., "parameters": [...]}), and prints one line of
// JSON for each: what the catalog of the clinic in src/catalog/testing answers.
#include <iostream>
#include <nlohmann/json.hpp>

#include "catalog/testing/clinic.h"

namespace {

using nlohmann::json;
using tacit::Result;
namespace catalog = tacit::catalog;

json ErrorJson(const tacit::Error& error) {
  return {{"error", error.public_message},
          {"rule", error.rule},
          {"code", static_cast<int>(error.code)},
          {"detail", error.private_detail}};
}

json AnswerJson(const catalog::Catalog& clinic, const json& asked) {
  const catalog::Asker session = catalog::testing::AskerAna();
  std::vector<std::optional<std::string>> parameters;
  for (const json& value : asked.value("parameters", json::array())) {
    parameters.push_back(value.is_null() ? std::optional<std::string>() : value.get<std::string>());
  }
  const Result<std::optional<catalog::Query>> query =
      clinic.Recognize(asked["sql"].get<std::string>());
  if (!query.ok()) return ErrorJson(query.error());
  if (!query->has_value()) return {{"error", "not a catalog query"}};
  const Result<catalog::Description> shape = clinic.Describe(**query, session);
  if (!shape.ok()) return ErrorJson(shape.error());
  const Result<catalog::Answer> answer = clinic.Run(**query, session, parameters);
  if (!answer.ok()) return ErrorJson(answer.error());
  json columns = json::array();
  for (const catalog::OidColumn& column : answer->columns) {
    columns.push_back({column.name, column.type});
  }
  json rows = json::array();
  for (const auto& row : answer->rows) {
    json cells = json::array();
    for (const tacit::engine::Value& cell : row) {
      const bool null = tacit::engine::IsNull(cell);
      cells.push_back(null ? json(nullptr) : json(tacit::engine::ToText(cell)));
    }
    rows.push_back(std::move(cells));
  }
  json described = json::array();
  for (const catalog::OidColumn& column : shape->columns) {
    described.push_back({column.name, column.type});
  }
  return {{"columns", columns}, {"rows", rows}, {"described", described}};
}

}  // namespace

int main() {
  const Result<catalog::Catalog> clinic =
      catalog::Catalog::Make(catalog::testing::ClinicPolicy(), catalog::testing::ClinicSchema());
  if (!clinic.ok()) {
    std::cerr << clinic.error().public_message << ": " << clinic.error().private_detail << "\n";
    return 1;
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << AnswerJson(*clinic, json::parse(line)).dump() << "\n";
  }
  return 0;
}
