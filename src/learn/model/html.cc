#include "learn/model/html.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tacit::learn {
namespace {

constexpr char kPageStyle[] =
    R"(body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f6f5f1; color: #1d2327; }
main { max-width: 900px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 28px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 32px 0 8px; }
code { background: #eceae3; border-radius: 4px; padding: 1px 5px; overflow-wrap: anywhere; }
.warning { background: #fff3d6; border-left: 4px solid #d08700; padding: 10px 14px; margin: 16px 0; }
.facts { display: flex; gap: 16px; flex-wrap: wrap; margin: 20px 0; }
.fact { background: #fff; border-radius: 8px; padding: 12px 18px; min-width: 150px; box-shadow: 0 1px 3px #0002; }
.fact b { display: block; font-size: 24px; line-height: 1.2; }
.card { background: #fff; border-radius: 8px; padding: 12px 16px; box-shadow: 0 1px 3px #0002; overflow-x: auto; }
svg { display: block; width: 100%; height: auto; } svg text { font: 14px system-ui, sans-serif; fill: #1d2327; }
table { border-collapse: collapse; } th, td { padding: 4px 12px; text-align: right; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } p.note { color: #555; margin: 6px 0 10px; }
)";

std::string Safe(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string Number(double number) {
  char text[32];
  const bool whole = std::abs(number) >= 1e4 && std::abs(number) < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", number);
  return text;
}

std::string Fact(const std::string& value, const std::string& what) {
  return "<div class=\"fact\"><b>" + Safe(value) + "</b>" + Safe(what) + "</div>\n";
}

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

std::string Line(double x1, double x2, double y, const char* colour, double width) {
  return "<line x1=\"" + Number(x1) + "\" x2=\"" + Number(x2) + "\" y1=\"" + Number(y) +
         "\" y2=\"" + Number(y) + "\" stroke=\"" + colour + "\" stroke-width=\"" + Number(width) +
         "\" stroke-linecap=\"round\"/>\n";
}

std::string TextAt(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + Number(x) + "\" y=\"" + Number(y) + "\" text-anchor=\"" + anchor + "\">" +
         Safe(text) + "</text>\n";
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

std::string PromiseOf(const ModelPrivacy& privacy) {
  const std::string who =
      privacy.protects == 1 ? "one person" : std::to_string(privacy.protects) + " people";
  const std::string step = privacy.neighbours == "replace_one"
                               ? "with the rows of " + who + " replaced by any others"
                               : "with " + who + " in the data or not";
  const std::string use = " Using it, for whatever and however often, costs nothing more.";
  if (privacy.accounting == "zcdp") {
    return "The whole model is one release of rho " + privacy.epsilon + "^2 / 2, by zCDP, " + step +
           "." + use;
  }
  return "The whole model is one release of epsilon " + privacy.epsilon + ": " + step +
         ", no set of models is more than e^" + privacy.epsilon + " times as likely." + use;
}

}  // namespace

std::string ModelPage(const LinearModel& model) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
      Safe(model.target.name) + ", explained</title>\n<style>\n" + kPageStyle +
      "</style></head>\n<body><main>\n<h1>" + Safe(model.target.name) +
      ", explained</h1>\n<p>linear regression over <code>" + Safe(model.rows) + "</code></p>\n";
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
      CoefficientTable(model) + "</div>\n<h2>What it cost, and what that means</h2>\n<p>" +
      Safe(PromiseOf(model.privacy)) + "</p>\n<p class=\"note\">" + Safe(model.privacy.unit) +
      "</p>\n";
  if (!model.privacy.receipt.empty()) {
    html += "<p class=\"note\">receipt <code>" + Safe(model.privacy.receipt) + "</code></p>\n";
  }
  return html + "</main></body>\n</html>\n";
}

}  // namespace tacit::learn
