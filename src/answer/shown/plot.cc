#include "answer/shown/plot.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "answer/format/numbers.h"
#include "answer/shown/margins.h"
#include "base/terminal_text.h"

namespace tacit::answer {
namespace {

using engine::Value;

// Why 16: more bars than that along an axis are better points.
constexpr size_t kBarsAlongAnAxis = 16;
constexpr size_t kPointRows = 16;
constexpr size_t kLabelMax = 24;
constexpr size_t kWidthLeast = 30;

// Which characters: a bar, what may be bar or not, the end of an error bar, a point, the axes.
struct Ink {
  const char* bar;
  const char* unsure;
  const char* beyond;
  const char* end;
  const char* point;
  const char* error;
  const char* axis;
  const char* corner;
  const char* floor;
};
constexpr Ink kUtf8{"█", "▒", "─", "┤", "●", "│", "┤", "└", "─"};
constexpr Ink kAscii{"#", "=", "-", "|", "*", ":", "|", "+", "-"};

struct Point {
  std::string label;
  double value = 0;
  double error = 0;
  std::string text;  // "412 ± 30"
};

bool IsPlotted(const plan::OutputColumn& column) {
  return column.type.IsNumber() && !column.is_array && (column.error || column.margin);
}

// The first number that is noisy; the first number at all where none is.
std::optional<size_t> PlottedColumn(const Answer& answer) {
  for (size_t i = 0; i < answer.columns.size(); ++i) {
    if (IsPlotted(answer.columns[i])) return i;
  }
  for (size_t i = answer.columns.size(); i > 0; --i) {
    if (answer.columns[i - 1].type.IsNumber() && !answer.columns[i - 1].is_array) return i - 1;
  }
  return std::nullopt;
}

std::string TextOf(const Value& value, double error) {
  if (error <= 0) return engine::ToText(value);
  const Rational margin = RationalOf(error);
  return SupportedDigits(value, margin) + " ± " + MarginText(margin);
}

std::vector<Point> PointsOf(const Answer& answer, size_t plotted) {
  std::vector<Point> points;
  engine::PackedRows::Place place;
  std::vector<Value> margins;
  for (const std::vector<Value>& row : answer.rows) {
    if (!answer.margins.Next(place, margins)) margins.clear();
    const std::optional<double> value = FiniteNumber(row[plotted]);
    if (!value) continue;
    Point point{.label = "", .value = *value, .error = 0, .text = ""};
    point.error = ErrorIn(margins, answer.columns[plotted]).value_or(0);
    point.text = TextOf(row[plotted], point.error);
    for (size_t i = 0; i < plotted; ++i) {
      const std::string text = engine::IsNull(row[i]) ? "NULL" : Printable(engine::ToText(row[i]));
      point.label += (i == 0 ? "" : ", ") + text;
    }
    points.push_back(std::move(point));
  }
  return points;
}

// Both zero and everything that is drawn.
std::pair<double, double> RangeOf(const std::vector<Point>& points) {
  double low = 0;
  double high = 0;
  for (const Point& point : points) {
    low = std::min(low, point.value - point.error);
    high = std::max(high, point.value + point.error);
  }
  return {low, high > low ? high : low + 1};
}

std::string Cut(std::string label) {
  size_t bytes = label.size();
  while (ColumnsOf(std::string_view(label).substr(0, bytes)) > kLabelMax) --bytes;
  // No half of a character is left.
  while (bytes < label.size() && bytes > 0 && (label[bytes] & 0xC0) == 0x80) --bytes;
  return label.substr(0, bytes);
}

std::string Times(size_t count, const char* what) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += what;
  return text;
}

std::string Bars(const std::vector<Point>& points, const PlotStyle& style, const Ink& ink) {
  size_t labels = 0;
  size_t texts = 0;
  for (const Point& point : points) {
    labels = std::max(labels, ColumnsOf(Cut(point.label)));
    texts = std::max(texts, ColumnsOf(point.text));
  }
  const auto [low, high] = RangeOf(points);
  const size_t around = labels + texts + 4;
  const size_t cells = std::max(style.width, around + 10) - around;
  const double cell = (high - low) / static_cast<double>(cells);
  std::string picture;
  for (const Point& point : points) {
    picture += " " + Padded(Cut(point.label), labels) + " ";
    const double from = std::min(point.value, 0.0);
    const double to = std::max(point.value, 0.0);
    for (size_t i = 0; i < cells; ++i) {
      const double middle = low + (static_cast<double>(i) + 0.5) * cell;
      const bool in_bar = middle >= from && middle <= to;
      const bool in_error = std::abs(middle - point.value) <= point.error;
      const bool at_end =
          in_error && std::abs(middle + cell - point.value) > point.error && middle > point.value;
      picture += at_end                ? ink.end
                 : in_bar && !in_error ? ink.bar
                 : in_bar              ? ink.unsure
                 : in_error            ? ink.beyond
                                       : " ";
    }
    picture += " " + Padded(point.text, texts, Align::kRight) + "\n";
  }
  return picture;
}

std::string AxisText(double value, double range) {
  return SupportedDigits(Value(value), RationalOf(range / 10));
}

std::string Points(const std::vector<Point>& points, const PlotStyle& style, const Ink& ink) {
  const auto [low, high] = RangeOf(points);
  const double range = high - low;
  const size_t axis = std::max(AxisText(low, range).size(), AxisText(high, range).size());
  const size_t cells = std::max(style.width, axis + 14) - axis - 4;
  std::string picture;
  for (size_t row = 0; row < kPointRows; ++row) {
    const double step = range / kPointRows;
    const double bottom = high - static_cast<double>(row + 1) * step;
    std::vector<const char*> line(cells, " ");
    for (size_t i = 0; i < points.size(); ++i) {
      const size_t at = points.size() == 1 ? 0 : i * (cells - 1) / (points.size() - 1);
      const Point& point = points[i];
      const bool is_last = row + 1 == kPointRows;
      if (point.value >= bottom && (point.value < bottom + step || row == 0)) {
        line[at] = ink.point;
      } else if (point.value + point.error >= bottom &&
                 (point.value - point.error < bottom + step || is_last) && line[at][0] == ' ') {
        line[at] = ink.error;
      }
    }
    const bool labelled = row % 4 == 0 || row + 1 == kPointRows;
    const double at_row = row + 1 == kPointRows ? low : bottom + step;
    picture +=
        " " + Padded(labelled ? AxisText(at_row, range) : "", axis, Align::kRight) + " " + ink.axis;
    for (const char* mark : line) picture += mark;
    picture += "\n";
  }
  picture += std::string(axis + 2, ' ') + ink.corner + Times(cells, ink.floor) + "\n";
  const std::string first = Cut(points.front().label);
  const std::string last = Cut(points.back().label);
  const size_t used = ColumnsOf(first) + ColumnsOf(last);
  picture += std::string(axis + 3, ' ') + first +
             std::string(cells > used ? cells - used : 1, ' ') + last + "\n";
  return picture;
}

// Along a date or a number there is a way from one value to the next.
bool IsAlongAnAxis(const Answer& answer, size_t plotted) {
  if (plotted != 1) return false;
  const ValueType& type = answer.columns[0].type;
  return type.IsNumber() || type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp;
}

Error Nothing(const std::string& what) {
  return Error{.code = ErrorCode::kInvalidArgument,
               .public_message = what,
               .hint = "a plot takes rows with labels first and a number after them",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

Result<std::string> FormatPlot(const Answer& answer, const PlotStyle& style) {
  const std::optional<size_t> plotted = PlottedColumn(answer);
  if (!plotted) return Nothing("the answer has no column of numbers to draw");
  const std::vector<Point> points = PointsOf(answer, *plotted);
  if (points.empty()) return Nothing("the answer has no rows to draw");
  const Ink& ink = style.utf8 ? kUtf8 : kAscii;
  PlotStyle fitting = style;
  fitting.width = std::max(style.width, kWidthLeast);
  const bool axis = IsAlongAnAxis(answer, *plotted) && points.size() > kBarsAlongAnAxis;
  std::string picture = " " + Printable(answer.columns[*plotted].name) + "\n";
  picture += axis ? Points(points, fitting, ink) : Bars(points, fitting, ink);
  if (style.utf8) return picture;
  for (size_t at = picture.find("±"); at != std::string::npos; at = picture.find("±", at)) {
    picture.replace(at, std::string_view("±").size(), "+-");
  }
  return picture;
}

}  // namespace tacit::answer
