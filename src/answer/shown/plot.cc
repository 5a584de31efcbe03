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

// Which characters: a bar, what may be bar or not, the end of an error bar, a point, the axes, the
// end of a label that goes on.
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
  const char* more;
};
constexpr Ink kUtf8{"█", "▒", "─", "┤", "●", "│", "┤", "└", "─", "…"};
constexpr Ink kAscii{"#", "=", "-", "|", "*", ":", "|", "+", "-", ".."};

struct Point {
  std::string label;
  double at = 0;  // where along an axis, of those that have one
  std::optional<double> value;
  double error = 0;
  std::string text;  // "412 ± 30"

  double Low() const { return *value - error; }
  double High() const { return *value + error; }
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

std::string TextOf(const Value& value, double error, bool utf8) {
  if (engine::IsNull(value)) return "NULL";
  if (error <= 0) return engine::ToText(value);
  const Rational margin = RationalOf(error);
  return SupportedDigits(value, margin) + (utf8 ? " ± " : " +- ") + MarginText(margin);
}

// Days, microseconds or the number itself; nothing where there is no place along an axis.
std::optional<double> PlaceOf(const Value& value) {
  if (const auto* date = std::get_if<engine::Date>(&value)) return date->days;
  if (const auto* instant = std::get_if<engine::Timestamp>(&value)) {
    return static_cast<double>(instant->micros);
  }
  return FiniteNumber(value);
}

std::vector<Point> PointsOf(const Answer& answer, size_t plotted, bool utf8) {
  std::vector<Point> points;
  engine::PackedRows::Place place;
  std::vector<Value> margins;
  for (const std::vector<Value>& row : answer.rows) {
    if (!answer.margins.Next(place, margins)) margins.clear();
    Point point{.label = "", .value = FiniteNumber(row[plotted]), .text = ""};
    if (point.value) point.error = ErrorIn(margins, answer.columns[plotted]).value_or(0);
    point.text = TextOf(row[plotted], point.error, utf8);
    if (plotted > 0) point.at = PlaceOf(row[0]).value_or(0);
    for (size_t i = 0; i < plotted; ++i) {
      const std::string text = engine::IsNull(row[i]) ? "NULL" : Printable(engine::ToText(row[i]));
      point.label += (i == 0 ? "" : ", ") + text;
    }
    points.push_back(std::move(point));
  }
  return points;
}

// Everything that is drawn, and zero: of bars always, of points where it is not far off.
std::pair<double, double> RangeOf(const std::vector<Point>& points, bool always_zero) {
  double low = points.front().Low();
  double high = points.front().High();
  for (const Point& point : points) {
    low = std::min(low, point.Low());
    high = std::max(high, point.High());
  }
  const double span = high - low;
  if (always_zero || (low > 0 && low <= 2 * span)) low = std::min(low, 0.0);
  if (always_zero || (high < 0 && -high <= 2 * span)) high = std::max(high, 0.0);
  return {low, high > low ? high : low + 1};
}

// A label that is too long says that it goes on.
std::string Cut(const std::string& label, const Ink& ink) {
  if (ColumnsOf(label) <= kLabelMax) return label;
  size_t bytes = label.size();
  while (ColumnsOf(std::string_view(label).substr(0, bytes)) > kLabelMax - ColumnsOf(ink.more)) {
    --bytes;
  }
  // No half of a character is left.
  while (bytes > 0 && (label[bytes] & 0xC0) == 0x80) --bytes;
  return label.substr(0, bytes) + ink.more;
}

std::string Times(size_t count, const char* what) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += what;
  return text;
}

std::vector<Point> WithNumbers(std::vector<Point> points) {
  std::erase_if(points, [](const Point& point) { return !point.value; });
  return points;
}

std::string Bars(const std::vector<Point>& points, const PlotStyle& style, const Ink& ink) {
  size_t labels = 0;
  size_t texts = 0;
  for (const Point& point : points) {
    labels = std::max(labels, ColumnsOf(Cut(point.label, ink)));
    texts = std::max(texts, ColumnsOf(point.text));
  }
  const auto [low, high] = RangeOf(WithNumbers(points), true);
  const size_t around = labels + texts + 4;
  const size_t cells = std::max(style.width, around + 10) - around;
  const double cell = (high - low) / static_cast<double>(cells);
  std::string picture;
  for (const Point& point : points) {
    picture += " " + Padded(Cut(point.label, ink), labels) + " ";
    const double value = point.value.value_or(0);
    const double from = std::min(value, 0.0);
    const double to = std::max(value, 0.0);
    for (size_t i = 0; i < cells; ++i) {
      const double middle = low + (static_cast<double>(i) + 0.5) * cell;
      const bool in_bar = middle >= from && middle <= to;
      const bool in_error = std::abs(middle - value) <= point.error;
      const bool at_end =
          in_error && std::abs(middle + cell - value) > point.error && middle > value;
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
  const auto [low, high] = RangeOf(points, false);
  const double range = high - low;
  const size_t axis = std::max(AxisText(low, range).size(), AxisText(high, range).size());
  const size_t cells = std::max(style.width, axis + 14) - axis - 4;
  const double first = points.front().at;
  const double wide = points.back().at - first;
  const auto cell_of = [&](const Point& point) {
    const double share = wide > 0 ? (point.at - first) / wide : 0;
    return static_cast<size_t>(std::lround(share * static_cast<double>(cells - 1)));
  };
  std::string picture;
  for (size_t row = 0; row < kPointRows; ++row) {
    const double step = range / kPointRows;
    const double bottom = high - static_cast<double>(row + 1) * step;
    std::vector<const char*> line(cells, " ");
    for (const Point& point : points) {
      const size_t at = cell_of(point);
      const bool is_last = row + 1 == kPointRows;
      const double value = *point.value;
      if ((value >= bottom || is_last) && (value < bottom + step || row == 0)) {
        line[at] = ink.point;
      } else if (point.High() >= bottom && point.Low() < bottom + step && line[at][0] == ' ') {
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
  const std::string from = Cut(points.front().label, ink);
  const std::string to = Cut(points.back().label, ink);
  const size_t used = ColumnsOf(from) + ColumnsOf(to);
  picture += std::string(axis + 3, ' ') + from + std::string(cells > used ? cells - used : 1, ' ') +
             to + "\n";
  return picture;
}

// Along a date or a number there is a way from one value to the next.
bool IsAlongAnAxis(const Answer& answer, size_t plotted) {
  if (plotted != 1) return false;
  const ValueType& type = answer.columns[0].type;
  for (const std::vector<Value>& row : answer.rows) {
    if (!PlaceOf(row[0])) return false;
  }
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
  const std::vector<Point> points = PointsOf(answer, *plotted, style.utf8);
  std::vector<Point> drawn = WithNumbers(points);
  if (drawn.empty()) return Nothing("the answer has no rows to draw");
  const Ink& ink = style.utf8 ? kUtf8 : kAscii;
  PlotStyle fitting = style;
  fitting.width = std::max(style.width, kWidthLeast);
  const bool axis = IsAlongAnAxis(answer, *plotted) && drawn.size() > kBarsAlongAnAxis;
  // Along an axis things stand where they are, however the rows were sorted.
  std::stable_sort(drawn.begin(), drawn.end(),
                   [](const Point& a, const Point& b) { return a.at < b.at; });
  std::string picture = " " + Printable(answer.columns[*plotted].name) + "\n";
  return picture + (axis ? Points(drawn, fitting, ink) : Bars(points, fitting, ink));
}

}  // namespace tacit::answer
