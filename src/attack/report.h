#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

// What every attack returns: numbers with their axes, units and error bars, and the words that go
// with them. The terminal, JSON and the owner's page are three ways to print the same Report.

namespace tacit::attack {

struct Axis {
  std::string label = {};  // "queries asked"
  std::string unit = {};   // "people", "%"; empty where the number has none
  bool logarithmic = false;
  // What the chart shows at least, unless the points would be lost at its bottom; without them,
  // what the points need.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  // Of the x axis: not a scale but a list of things, and x is the place in it, from 0.
  std::vector<std::string> names = {};
};

struct Point {
  double x = 0;
  double y = 0;
  // The error bar; its meaning is the chart's `error_bars`.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
};

struct Series {
  std::string name = {};
  std::vector<Point> points = {};  // in the order of x
  bool is_reference = false;       // a bound, a baseline or theory: drawn dashed
  bool is_defended = false;        // what the defence leaves: drawn in the defence's colour
};

// A vertical line with a word, e.g. where the budget ends.
struct Mark {
  double x = 0;
  std::string label = {};
};

struct Chart {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  std::string error_bars = {};  // "95 % interval over 20 runs"; empty when no point has one
  std::vector<Mark> marks = {};
};

// A cell is a text for people and, where it is one, the number behind it for JSON.
struct Cell {
  std::string text = {};
  std::optional<double> number = std::nullopt;
};
Cell Text(std::string text);
Cell Number(double value, int decimals = 0);   // 12,345.6
Cell Percent(double share, int decimals = 1);  // 0.312 -> "31.2 %"; JSON gets 0.312
Cell Interval(double value, double low, double high, int decimals = 3);  // "0.74 (0.70 to 0.78)"

struct Table {
  std::string title = {};
  std::vector<std::string> header = {};
  std::vector<std::vector<Cell>> rows = {};  // each as long as the header
};

struct Parameter {
  std::string name = {};
  std::string value = {};
};

// The answer to "and what helps?", printed beside the attack.
struct Defence {
  std::string title = {};  // "A budget, and stored answers"
  std::string text = {};   // one paragraph
};

struct Report {
  std::string name = {};   // "averaging": the subcommand, and docs/attacks/<name>.md
  std::string title = {};  // "Asking again until the noise is gone"
  std::string shows = {};  // one or two sentences: what the attack does and what it needs
  std::vector<Parameter> parameters = {};
  std::optional<uint64_t> seed =
      std::nullopt;                       // of the attack's own randomness; Tacit's noise has none
  std::vector<std::string> summary = {};  // sentences with the figures that matter
  std::vector<Chart> charts = {};
  std::vector<Table> tables = {};
  std::vector<std::string> cautions = {};  // what the figures do not say
  Defence defence = {};
};

// For a terminal: words, tables, and every chart as a small table of its points.
std::string ToText(const Report& report);

// One object; axes, units, points and error bars included.
nlohmann::ordered_json ToJson(const Report& report);

// "12,345.6": for sentences. Never in exponents below 1e15.
std::string Shown(double value, int decimals = 0);

}  // namespace tacit::attack
