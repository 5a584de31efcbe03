#include <algorithm>
#include <cmath>

#include "learn/centres/centre_model.h"
#include "learn/linear/linear.h"
#include "learn/model/page_parts.h"

namespace tacit::learn {
namespace {

constexpr const char* kCentreInks[] = {"#1f6f6b", "#d08700", "#7a4fa3", "#b3413a", "#3a6fb3"};

std::string InkOf(size_t centre) { return kCentreInks[centre % std::size(kCentreInks)]; }

// How much of a column's public range is below a value.
double ShareOfRange(const CellColumn& feature, double value) {
  const double low = feature.low.get_d();
  const double high = feature.high.get_d();
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

std::string DotAt(double x, double y, double radius, const std::string& ink, const char* more) {
  return "<circle cx=\"" + Number(x) + "\" cy=\"" + Number(y) + "\" r=\"" + Number(radius) +
         "\" fill=\"" + ink + "\"" + more + "/>\n";
}

// Both columns over their public ranges; a disc's area is the number of rows.
std::string CentreMap(const CentreModel& model) {
  constexpr double kLeft = 110;
  constexpr double kRight = 810;
  constexpr double kTop = 16;
  constexpr double kBottom = 436;
  const CellColumn& across = model.features[0];
  const CellColumn& up = model.features[1];
  std::string svg =
      "<svg viewBox=\"0 0 850 490\" role=\"img\" aria-label=\"where the centres are\">\n<rect "
      "x=\"" +
      Number(kLeft) + "\" y=\"" + Number(kTop) + "\" width=\"" + Number(kRight - kLeft) +
      "\" height=\"" + Number(kBottom - kTop) + "\" fill=\"none\" stroke=\"#c9d3d1\"/>\n";
  svg += TextAt(kLeft, kBottom + 20, "middle", Number(across.low.get_d()));
  svg += TextAt(kRight, kBottom + 20, "middle", Number(across.high.get_d()));
  svg += TextAt((kLeft + kRight) / 2, kBottom + 40, "middle", across.name);
  svg += TextAt(kLeft - 10, kBottom, "end", Number(up.low.get_d()));
  svg += TextAt(kLeft - 10, kTop + 10, "end", Number(up.high.get_d()));
  svg += TextAt(kLeft - 10, (kTop + kBottom) / 2, "end", up.name);
  double most = 1;
  for (const Centre& centre : model.fit.centres) most = std::max(most, centre.rows);
  for (size_t c = 0; c < model.fit.centres.size(); ++c) {
    const Centre& centre = model.fit.centres[c];
    const double x = kLeft + (kRight - kLeft) * ShareOfRange(across, centre.at[0]);
    const double y = kBottom - (kBottom - kTop) * ShareOfRange(up, centre.at[1]);
    const double radius = 6 + 24 * std::sqrt(std::max(centre.rows, 0.0) / most);
    svg += DotAt(x, y, radius, InkOf(c), " fill-opacity=\"0.25\"");
    svg += DotAt(x, y, 3, InkOf(c), "");
    svg += TextAt(x + 8, y + 5, "start", std::to_string(c + 1));
  }
  return svg + "</svg>\n";
}

// A line for each column of each centre, from one end of its public range to the other.
std::string CentreLines(const CentreModel& model) {
  constexpr double kFrom = 330;
  constexpr double kTo = 700;
  constexpr double kStep = 22;
  const size_t lines = model.fit.centres.size() * (model.features.size() + 1);
  std::string svg = "<svg viewBox=\"0 0 850 " + Number(kStep * static_cast<double>(lines) + 12) +
                    "\" role=\"img\" aria-label=\"each centre by column\">\n";
  double y = kStep / 2 + 4;
  for (size_t c = 0; c < model.fit.centres.size(); ++c) {
    const Centre& centre = model.fit.centres[c];
    svg += DotAt(8, y, 6, InkOf(c), "");
    svg += TextAt(22, y + 5, "start",
                  "centre " + std::to_string(c + 1) + ", about " +
                      Number(std::max(std::round(centre.rows), 0.0)) + " rows");
    y += kStep;
    for (size_t f = 0; f < model.features.size(); ++f) {
      const CellColumn& feature = model.features[f];
      const auto at = [&](double value) {
        return kFrom + (kTo - kFrom) * ShareOfRange(feature, value);
      };
      svg += TextAt(kFrom - 10, y + 5, "end", feature.name);
      svg += Line(kFrom, kTo, y, "#e3e8e6", 3);
      std::string text = Number(centre.at[f]);
      if (!centre.noise.empty()) {
        const double open = kNormalAt95 * centre.noise[f];
        svg += Line(at(centre.at[f] - open), at(centre.at[f] + open), y, "#1d2327", 5);
        text += " \u00b1 " + Number(open);
      }
      svg += DotAt(at(centre.at[f]), y, 5, InkOf(c), "");
      svg += TextAt(kTo + 12, y + 5, "start", text);
      y += kStep;
    }
  }
  return svg + "</svg>\n";
}

}  // namespace

std::string ModelPage(const CentreModel& model) {
  std::string html =
      PageBegin(std::to_string(model.fit.centres.size()) + " groups", "k-means", model.rows);
  html += "<div class=\"facts\">\n" +
          Fact(Number(std::max(std::round(model.fit.rows), 0.0)), "rows, about") +
          Fact(model.privacy.epsilon, "epsilon") +
          Fact(Number(std::round(kNormalAt95 * model.fit.rows_noise)),
               "rows, how far each count may be off") +
          "</div>\n";
  if (model.features.size() == 2) {
    html +=
        "<h2>Where they are</h2>\n<p class=\"note\">Both columns over their public ranges. A "
        "disc's area is its number of rows, and says nothing about how far they spread.</p>\n<div "
        "class=\"card\">\n" +
        CentreMap(model) + "</div>\n";
  }
  html +=
      "<h2>Each centre</h2>\n<p class=\"note\">Each line is a column's public range. The dark bar "
      "is what the noise of the last step leaves open: the centre of the rows that were nearest "
      "is within it in 95 % of models. A number without one is of a centre that the noise kept "
      "from moving.</p>\n<div class=\"card\">\n" +
      CentreLines(model) + "</div>\n" + PageEnd(model.privacy);
  return html;
}

}  // namespace tacit::learn
