#include <algorithm>
#include <cmath>
#include <map>

#include "attack/report.h"
#include "base/terminal_text.h"

namespace tacit::attack {
namespace {

// Why 96: a terminal of 100 columns holds it with an indent.
constexpr size_t kWidth = 96;

std::string Wrapped(const std::string& text, const std::string& lead, const std::string& indent) {
  std::string out = lead;
  size_t column = lead.size();
  size_t at = 0;
  const std::string clean = Printable(text);
  while (at < clean.size()) {
    const size_t blank = std::min(clean.find(' ', at), clean.size());
    const std::string word = clean.substr(at, blank - at);
    if (column + 1 + word.size() > kWidth && column > indent.size()) {
      out += "\n" + indent;
      column = indent.size();
    } else if (column > std::max(lead.size(), indent.size()) ||
               (at > 0 && column > indent.size())) {
      out += " ";
      ++column;
    }
    out += word;
    column += word.size();
    at = blank + 1;
  }
  return out + "\n";
}

std::string Aligned(const std::vector<std::vector<Cell>>& rows) {
  std::vector<size_t> widths;
  for (const std::vector<Cell>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], ColumnsOf(Printable(row[i].text)));
    }
  }
  std::string out;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line = "  ";
    for (size_t i = 0; i < rows[r].size(); ++i) {
      const std::string text = Printable(rows[r][i].text);
      const bool right = rows.back()[i].number.has_value();
      line += Padded(text, widths[i], right ? Align::kRight : Align::kLeft) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (r == 0) {
      size_t total = 0;
      for (const size_t width : widths) total += width + 2;
      out += "  " + std::string(total - 2, '-') + "\n";
    }
  }
  return out;
}

std::string TextOf(const Table& table) {
  std::vector<std::vector<Cell>> rows(1);
  for (const std::string& name : table.header) rows[0].push_back(Text(name));
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  return Wrapped(table.title, "", "") + Aligned(rows);
}

// As many digits as tell neighbouring points apart.
std::string Short(double value) {
  const double size = std::abs(value);
  return Shown(value, size >= 100 || value == std::round(value) ? 0 : size >= 1 ? 2 : 3);
}

std::string AxisName(const Axis& axis) {
  return axis.unit.empty() ? axis.label : axis.label + " (" + axis.unit + ")";
}

// One row for each x, one column for each series.
std::string TextOf(const Chart& chart) {
  std::map<double, std::vector<std::string>> by_x;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    for (const Point& point : chart.series[s].points) {
      std::vector<std::string>& row = by_x[point.x];
      row.resize(chart.series.size());
      row[s] = Short(point.y);
      if (point.low && point.high) {
        row[s] += " (" + Short(*point.low) + " to " + Short(*point.high) + ")";
      }
    }
  }
  Table table{.title = chart.title + ": " + AxisName(chart.y) +
                       (chart.error_bars.empty() ? "" : "; in brackets: " + chart.error_bars),
              .header = {AxisName(chart.x)},
              .rows = {}};
  for (const Series& series : chart.series) table.header.push_back(series.name);
  for (const auto& [x, cells] : by_x) {
    std::vector<Cell> row{chart.x.names.empty() ? Cell{Short(x), x}
                                                : Text(chart.x.names.at(static_cast<size_t>(x)))};
    for (const std::string& cell : cells) row.push_back(Text(cell));
    table.rows.push_back(std::move(row));
  }
  std::string out = TextOf(table);
  for (const Mark& mark : chart.marks) {
    out += Wrapped("at " + Short(mark.x) + ": " + mark.label, "  ", "  ");
  }
  return out;
}

}  // namespace

std::string ToText(const Report& report) {
  std::string out = Wrapped(report.title, "", "") + Wrapped(report.shows, "", "") + "\n";
  for (const std::string& sentence : report.summary) out += Wrapped(sentence, "* ", "  ");
  for (const Table& table : report.tables) out += "\n" + TextOf(table);
  for (const Chart& chart : report.charts) {
    // A chart of named things beside tables: they hold its numbers.
    const bool is_in_a_table = !chart.x.names.empty() && !report.tables.empty();
    if (!is_in_a_table) out += "\n" + TextOf(chart);
  }
  out += "\n";
  for (const std::string& caution : report.cautions) out += Wrapped(caution, "Note: ", "      ");
  out += Wrapped(report.defence.title + ". " + report.defence.text, "What helps: ", "  ");
  std::string line;
  for (const Parameter& parameter : report.parameters) {
    line += (line.empty() ? "" : ", ") + parameter.name + " " + parameter.value;
  }
  if (report.seed) line += (line.empty() ? "" : ", ") + ("seed " + std::to_string(*report.seed));
  return out + (line.empty() ? "" : "\n" + Wrapped(line, "Asked with: ", "  "));
}

}  // namespace tacit::attack
