#include "learn/model/html.h"

#include <algorithm>
#include <cmath>

#include "learn/model/page_parts.h"

namespace tacit::learn {
namespace {

// What a feature changes from one end of its public range to the other.
struct Effect {
  std::string name;
  double value = 0;
  double noise = 0;   // half of the interval that the noise leaves open; 0 where none is known
  double margin = 0;  // likewise, with who is in the data
};

std::vector<Effect> EffectsOf(const LinearModel& model) {
  std::vector<Effect> effects;
  for (size_t i = 0; i < model.features.size(); ++i) {
    const Column& column = model.features[i];
    const double range = 2 * column.Half();
    Effect effect{.name = column.name, .value = model.fit.coefficients[i + 1] * range};
    if (model.fit.trust == Trust::kFull) {
      effect.noise = kNormalAt95 * NoiseError(model.fit, i + 1) * range;
      effect.margin = MarginOf(model.fit, i + 1) * range;
    }
    effects.push_back(std::move(effect));
  }
  std::sort(effects.begin(), effects.end(),
            [](const Effect& a, const Effect& b) { return std::abs(a.value) > std::abs(b.value); });
  return effects;
}

std::string Picture(const std::vector<Effect>& effects) {
  constexpr double kLeft = 190;
  constexpr double kRight = 730;
  constexpr double kRow = 34;
  double most = 0;
  for (const Effect& effect : effects) {
    most = std::max(most, std::abs(effect.value) + effect.margin);
  }
  const double scale = most > 0 ? (kRight - kLeft) / 2 / most : 0;
  const double middle = (kLeft + kRight) / 2;
  const double height = kRow * static_cast<double>(effects.size()) + 30;
  std::string svg = "<svg viewBox=\"0 0 850 " + Number(height) +
                    "\" role=\"img\" aria-label=\"what each feature changes\">\n<line x1=\"" +
                    Number(middle) + "\" x2=\"" + Number(middle) + "\" y1=\"4\" y2=\"" +
                    Number(height - 24) + "\" stroke=\"#9aa7b1\" stroke-dasharray=\"3 4\"/>\n";
  double y = kRow / 2 + 4;
  for (const Effect& effect : effects) {
    const double x = middle + effect.value * scale;
    svg += TextAt(kLeft - 14, y + 5, "end", effect.name);
    svg += Line(x - effect.margin * scale, x + effect.margin * scale, y, "#c9d3d1", 12);
    svg += Line(x - effect.noise * scale, x + effect.noise * scale, y, "#1f6f6b", 5);
    svg += "<circle cx=\"" + Number(x) + "\" cy=\"" + Number(y) + "\" r=\"5\" fill=\"#0f3d3b\"/>\n";
    svg += TextAt(kRight + 14, y + 5, "start", Number(effect.value));
    y += kRow;
  }
  svg += TextAt(middle, height - 6, "middle", "0");
  return svg + "</svg>\n";
}

std::string CoefficientTable(const LinearModel& model) {
  const bool full = model.fit.trust == Trust::kFull;
  std::string html = "<table><tr><th>term</th><th>range</th><th>estimate</th>";
  if (full) html += "<th>noise, se</th><th>sampling, se</th><th>95 % from</th><th>to</th>";
  html += "</tr>\n";
  for (size_t i = 0; i <= model.features.size(); ++i) {
    const double value = model.fit.coefficients[i];
    const Column* column = i == 0 ? nullptr : &model.features[i - 1];
    html +=
        "<tr><td>" + (column == nullptr ? "(constant)" : Safe(column->name)) + "</td><td>" +
        (column == nullptr ? "" : Safe(ToString(column->low) + " to " + ToString(column->high))) +
        "</td><td>" + Number(value) + "</td>";
    if (full) {
      const double margin = MarginOf(model.fit, i);
      html += "<td>" + Number(NoiseError(model.fit, i)) + "</td><td>" +
              Number(SamplingError(model.fit, i)) + "</td><td>" + Number(value - margin) +
              "</td><td>" + Number(value + margin) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

}  // namespace

std::string ModelPage(const LinearModel& model) {
  std::string html = PageBegin(model.target.name, "linear regression", model.rows);
  if (model.fit.trust == Trust::kRidge) {
    html +=
        "<p class=\"warning\">The noise hides how some features differ. Coefficients are drawn "
        "towards zero (ridge " +
        Number(model.fit.ridge) + " rows), and none has an honest interval.</p>\n";
  }
  html += "<div class=\"facts\">\n" + Fact(Number(std::max(model.fit.rows, 0.0)), "rows, about") +
          Fact(model.privacy.epsilon, "epsilon");
  if (model.fit.r_squared) html += Fact(Number(*model.fit.r_squared), "R squared, about");
  html +=
      "</div>\n<h2>What each feature changes</h2>\n<p class=\"note\">" + Safe(model.target.name) +
      " from one end of a feature's public range to the other, all else equal. The dark bar is "
      "what the noise leaves open, and holds the fit of these very people in 95 % of models; the "
      "light one adds who happens to be in the data, and holds the fit of the "
      "population.</p>\n<div class=\"card\">\n" +
      Picture(EffectsOf(model)) + "</div>\n<h2>Coefficients</h2>\n<div class=\"card\">\n" +
      CoefficientTable(model) + "</div>\n";
  return html + PageEnd(model.privacy);
}

}  // namespace tacit::learn
