#include <cmath>
#include <nlohmann/json.hpp>

#include "attack/report.h"

namespace tacit::attack {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: what is not a number is null.
Json Finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json ToJson(const Axis& axis) {
  Json json{{"label", axis.label}, {"unit", axis.unit}};
  json["scale"] = !axis.names.empty() ? "names" : axis.logarithmic ? "log" : "linear";
  if (!axis.names.empty()) json["names"] = axis.names;
  return json;
}

Json ToJson(const Series& series) {
  Json json{{"name", series.name},
            {"reference", series.is_reference},
            {"defended", series.is_defended},
            {"points", Json::array()}};
  for (const Point& point : series.points) {
    Json one{{"x", Finite(point.x)}, {"y", Finite(point.y)}};
    if (point.low) one["low"] = Finite(*point.low);
    if (point.high) one["high"] = Finite(*point.high);
    json["points"].push_back(std::move(one));
  }
  return json;
}

Json ToJson(const Chart& chart) {
  Json json{{"title", chart.title}, {"x", ToJson(chart.x)}, {"y", ToJson(chart.y)}};
  if (!chart.error_bars.empty()) json["error_bars"] = chart.error_bars;
  json["series"] = Json::array();
  for (const Series& series : chart.series) json["series"].push_back(ToJson(series));
  json["marks"] = Json::array();
  for (const Mark& mark : chart.marks) {
    json["marks"].push_back({{"x", Finite(mark.x)}, {"label", mark.label}});
  }
  return json;
}

Json ToJson(const Table& table) {
  Json json{{"title", table.title}, {"columns", table.header}, {"rows", Json::array()}};
  for (const std::vector<Cell>& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) {
      cells.push_back(cell.number ? Finite(*cell.number) : Json(cell.text));
    }
    json["rows"].push_back(std::move(cells));
  }
  return json;
}

}  // namespace

nlohmann::ordered_json ToJson(const Report& report) {
  Json json{{"attack", report.name}, {"title", report.title}, {"shows", report.shows}};
  json["parameters"] = Json::object();
  for (const Parameter& parameter : report.parameters) {
    json["parameters"][parameter.name] = parameter.value;
  }
  if (report.seed) json["seed"] = *report.seed;
  json["summary"] = report.summary;
  json["charts"] = Json::array();
  for (const Chart& chart : report.charts) json["charts"].push_back(ToJson(chart));
  json["tables"] = Json::array();
  for (const Table& table : report.tables) json["tables"].push_back(ToJson(table));
  json["cautions"] = report.cautions;
  json["defence"] = {{"title", report.defence.title}, {"text", report.defence.text}};
  return json;
}

}  // namespace tacit::attack
