#include "learn/cells/column_json.h"

#include <set>

namespace tacit::learn {
namespace {

// Why 10,000: more than any task makes of columns that it takes.
constexpr size_t kCellsOfColumnMax = 10'000;

const char* TypeNameOf(CellKind kind) {
  switch (kind) {
    case CellKind::kNumber:
      return "number";
    case CellKind::kBoolean:
      return "boolean";
    case CellKind::kCategory:
      return "category";
  }
  return "";
}

}  // namespace

Json JsonOfCells(const CellColumn& column) {
  Json json = {{"name", column.name}, {"type", TypeNameOf(column.kind)}};
  if (column.kind == CellKind::kCategory) json["values"] = column.values;
  if (column.kind == CellKind::kNumber) {
    json["low"] = ToString(column.low);
    json["high"] = ToString(column.high);
    json["whole"] = column.whole;
    Json edges = Json::array();
    for (const Rational& edge : column.edges) edges.push_back(ToString(edge));
    json["edges"] = edges;
  }
  return json;
}

Result<CellColumn> CellColumnIn(const Json& value) {
  CellColumn column;
  TACIT_TRY(column.name, TextIn(value, "name"));
  TACIT_TRY(const std::string type, TextIn(value, "type"));
  if (type == "boolean") return column;
  if (type == "category") {
    column.kind = CellKind::kCategory;
    const Json* values = Find(value, "values");
    std::set<std::string> seen;
    if (values == nullptr || !values->is_array() || values->size() < 2 ||
        values->size() > kCellsOfColumnMax) {
      return NotAModel(column.name + " has no values");
    }
    for (const Json& one : *values) {
      if (!one.is_string() || !seen.insert(one.get<std::string>()).second) {
        return NotAModel("a value of " + column.name + " is no text, or comes twice");
      }
      column.values.push_back(one.get<std::string>());
    }
    return column;
  }
  if (type != "number") return NotAModel("a column has the type " + type);
  column.kind = CellKind::kNumber;
  TACIT_TRY(const std::string low, TextIn(value, "low"));
  TACIT_TRY(const std::string high, TextIn(value, "high"));
  const Result<Rational> least = ParseRational(low);
  const Result<Rational> most = ParseRational(high);
  const Json* edges = Find(value, "edges");
  const Json* whole = Find(value, "whole");
  if (!least.ok() || !most.ok() || *least >= *most || edges == nullptr || !edges->is_array() ||
      edges->size() > kCellsOfColumnMax || whole == nullptr || !whole->is_boolean()) {
    return NotAModel("the bins of " + column.name + " are none");
  }
  column.low = *least;
  column.high = *most;
  column.whole = whole->get<bool>();
  for (const Json& one : *edges) {
    const Result<Rational> edge =
        one.is_string() ? ParseRational(one.get<std::string>()) : NotAModel("no edge");
    if (!edge.ok() || (!column.edges.empty() && *edge <= column.edges.back())) {
      return NotAModel("the bins of " + column.name + " are none");
    }
    column.edges.push_back(*edge);
  }
  return column;
}

}  // namespace tacit::learn
