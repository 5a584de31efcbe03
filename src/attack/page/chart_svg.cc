#include <algorithm>
#include <cmath>
#include <cstdio>

#include "attack/page/axis.h"
#include "attack/page/page.h"

namespace tacit::attack {
namespace {

// The paper of a chart, in SVG units; the page scales it.
constexpr double kWidth = 640;
constexpr double kLeft = 76;
constexpr double kRight = 626;
constexpr double kTop = 14;
constexpr double kBottom = 330;
constexpr double kHeight = 394;

std::string Number1(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string Line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line class=\"" + style + "\" x1=\"" + Number1(x1) + "\" y1=\"" + Number1(y1) +
         "\" x2=\"" + Number1(x2) + "\" y2=\"" + Number1(y2) + "\"/>\n";
}

std::string Words(double x, double y, const std::string& anchor, const std::string& text,
                  const std::string& style = "tick") {
  return "<text class=\"" + style + "\" x=\"" + Number1(x) + "\" y=\"" + Number1(y) +
         "\" text-anchor=\"" + anchor + "\">" + Escaped(text) + "</text>\n";
}

// Told apart by shape as well as by colour: for print, and for those who see colours differently.
std::string Marker(double x, double y, size_t shape) {
  const auto path = [&](const std::string& d) { return "<path class=\"dot\" d=\"" + d + "\"/>\n"; };
  const auto at = [&](double dx, double dy) { return Number1(x + dx) + " " + Number1(y + dy); };
  switch (shape % 5) {
    case 0:
      return "<circle class=\"dot\" cx=\"" + Number1(x) + "\" cy=\"" + Number1(y) +
             "\" r=\"4\"/>\n";
    case 1:
      return path("M" + at(-3.6, -3.6) + "h7.2v7.2h-7.2z");
    case 2:
      return path("M" + at(0, -4.8) + "L" + at(4.6, 3.4) + "L" + at(-4.6, 3.4) + "z");
    case 3:
      return path("M" + at(0, -5) + "L" + at(5, 0) + "L" + at(0, 5) + "L" + at(-5, 0) + "z");
    default:
      return path("M" + at(0, 4.8) + "L" + at(4.6, -3.4) + "L" + at(-4.6, -3.4) + "z");
  }
}

// "s0" to "s6" for attacks, "defended", "reference".
std::vector<std::string> StylesOf(const Chart& chart) {
  std::vector<std::string> styles;
  size_t attacks = 0;
  size_t defended = 0;
  size_t references = 0;
  for (const Series& series : chart.series) {
    if (series.is_reference) {
      styles.push_back(references == 0   ? "reference"
                       : references == 1 ? "reference second"
                                         : "reference third");
      ++references;
    } else if (series.is_defended) {
      styles.push_back(defended++ == 0 ? "defended" : "defended second");
    } else {
      styles.push_back("s" + std::to_string(attacks++ % 7));
    }
  }
  return styles;
}

std::string AxisName(const Axis& axis) {
  return axis.unit.empty() ? axis.label : axis.label + " (" + axis.unit + ")";
}

std::string Legend(const Chart& chart, const std::vector<std::string>& styles) {
  std::string out = "<ul class=\"legend\">\n";
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    if (series.points.empty()) continue;
    out += "<li><svg class=\"" + styles[s] +
           "\" viewBox=\"0 0 30 12\" width=\"30\" height=\"12\" aria-hidden=\"true\">";
    out += Line(1, 6, 29, 6, "path");
    if (!series.is_reference) out += Marker(15, 6, s);
    out += "</svg>" + Escaped(series.name) + "</li>\n";
  }
  return out + "</ul>\n";
}

std::vector<double> ValuesOf(const Chart& chart) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      values.push_back(point.y);
      if (point.low) values.push_back(*point.low);
      if (point.high) values.push_back(*point.high);
    }
  }
  return values;
}

std::string SeriesSvg(const Series& series, const std::string& style, size_t shape, const Scale& x,
                      const Scale& y) {
  std::string out = "<g class=\"" + style + "\">\n";
  std::string path;
  std::string over;
  for (const Point& point : series.points) {
    if (!x.Shows(point.x) || !y.Shows(point.y)) continue;
    const double px = x.At(point.x);
    const double py = y.At(point.y);
    path += (path.empty() ? "M" : "L") + Number1(px) + " " + Number1(py);
    if (point.low && point.high && y.Shows(*point.low)) {
      const double low = y.At(*point.low);
      const double high = y.At(*point.high);
      over += Line(px, low, px, high, "bar") + Line(px - 3.5, low, px + 3.5, low, "bar") +
              Line(px - 3.5, high, px + 3.5, high, "bar");
    }
    if (!series.is_reference) over += Marker(px, py, shape);
  }
  return out + "<path class=\"path\" d=\"" + path + "\"/>\n" + over + "</g>\n";
}

std::string CurvesSvg(const Chart& chart, const std::vector<std::string>& styles) {
  std::vector<double> xs;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) xs.push_back(point.x);
  }
  const Scale x(chart.x, xs, kLeft + 10, kRight - 10);
  const Scale y(chart.y, ValuesOf(chart), kBottom, kTop);
  std::string out;
  for (const Scale::Tick& tick : y.ticks()) {
    out += Line(kLeft, y.At(tick.value), kRight, y.At(tick.value), "grid");
    out += Words(kLeft - 8, y.At(tick.value) + 5, "end", tick.label);
  }
  for (const Scale::Tick& tick : x.ticks()) {
    out += Line(x.At(tick.value), kBottom, x.At(tick.value), kBottom + 5, "axis");
    out += Words(x.At(tick.value), kBottom + 23, "middle", tick.label);
  }
  out += Line(kLeft, kBottom, kRight, kBottom, "axis");
  for (const Mark& mark : chart.marks) {
    if (!x.Shows(mark.x)) continue;
    out += Line(x.At(mark.x), kTop, x.At(mark.x), kBottom, "mark");
    out += Words(x.At(mark.x) + 5, kTop + 12, "start", mark.label, "marked");
  }
  for (size_t s = 0; s < chart.series.size(); ++s) {
    out += SeriesSvg(chart.series[s], styles[s], s, x, y);
  }
  out += Words((kLeft + kRight) / 2, kHeight - 8, "middle", AxisName(chart.x), "name");
  const double middle = (kTop + kBottom) / 2;
  out += "<text class=\"name\" text-anchor=\"middle\" transform=\"translate(18 " + Number1(middle) +
         ") rotate(-90)\">" + Escaped(AxisName(chart.y)) + "</text>\n";
  return out;
}

// A long name goes on two lines, cut at the space nearest to its middle.
std::string NameWords(double x, double y, const std::string& name) {
  constexpr size_t kLineMax = 22;
  if (name.size() <= kLineMax) return Words(x, y + 5, "end", name, "thing");
  size_t cut = std::string::npos;
  for (size_t at = name.find(' '); at != std::string::npos; at = name.find(' ', at + 1)) {
    const auto off = [&](size_t place) {
      return std::abs(2 * static_cast<double>(place) - static_cast<double>(name.size()));
    };
    if (cut == std::string::npos || off(at) < off(cut)) cut = at;
  }
  if (cut == std::string::npos) return Words(x, y + 5, "end", name, "thing");
  return Words(x, y - 3, "end", name.substr(0, cut), "thing") +
         Words(x, y + 14, "end", name.substr(cut + 1), "thing");
}

// Things down the side, values across.
std::string RowsSvg(const Chart& chart, const std::vector<std::string>& styles, double& height) {
  constexpr double kNames = 214;
  constexpr double kRow = 42;
  const double bottom = kTop + kRow * static_cast<double>(chart.x.names.size());
  height = bottom + 60;
  const Scale value(chart.y, ValuesOf(chart), kNames, kRight - 10);
  std::string out;
  for (const Scale::Tick& tick : value.ticks()) {
    out += Line(value.At(tick.value), kTop, value.At(tick.value), bottom, "grid");
    out += Words(value.At(tick.value), bottom + 23, "middle", tick.label);
  }
  for (size_t i = 0; i < chart.x.names.size(); ++i) {
    const double y = kTop + kRow * (static_cast<double>(i) + 0.5);
    out += NameWords(kNames - 12, y, chart.x.names[i]);
  }
  out += Line(kNames, bottom, kRight - 10, bottom, "axis");
  for (size_t s = 0; s < chart.series.size(); ++s) {
    out += "<g class=\"" + styles[s] + "\">\n";
    for (const Point& point : chart.series[s].points) {
      const double y = kTop + kRow * (point.x + 0.5);
      if (point.low && point.high) {
        const double low = value.At(*point.low);
        const double high = value.At(*point.high);
        out += Line(low, y, high, y, "bar") + Line(low, y - 4, low, y + 4, "bar") +
               Line(high, y - 4, high, y + 4, "bar");
      }
      const double at = value.At(point.y);
      out += chart.series[s].is_reference ? Line(at, y - 12, at, y + 12, "path") : Marker(at, y, s);
    }
    out += "</g>\n";
  }
  return out + Words((kNames + kRight - 10) / 2, height - 8, "middle", AxisName(chart.y), "name");
}

}  // namespace

std::string RenderChart(const Chart& chart) {
  const std::vector<std::string> styles = StylesOf(chart);
  double height = kHeight;
  const std::string drawn =
      chart.x.names.empty() ? CurvesSvg(chart, styles) : RowsSvg(chart, styles, height);
  std::string out = "<figure>\n<figcaption>" + Escaped(chart.title) + "</figcaption>\n";
  out += "<svg class=\"chart\" viewBox=\"0 0 " + Number1(kWidth) + " " + Number1(height) +
         "\" role=\"img\" aria-label=\"" + Escaped(chart.title) + "\">\n" + drawn + "</svg>\n";
  out += Legend(chart, styles);
  if (!chart.error_bars.empty()) {
    out += "<p class=\"bars\">Bars: " + Escaped(chart.error_bars) + ".</p>\n";
  }
  return out + "</figure>\n";
}

}  // namespace tacit::attack
