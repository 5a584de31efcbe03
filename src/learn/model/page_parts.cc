#include "learn/model/page_parts.h"

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

std::string Line(double x1, double x2, double y, const char* colour, double width) {
  return "<line x1=\"" + Number(x1) + "\" x2=\"" + Number(x2) + "\" y1=\"" + Number(y) +
         "\" y2=\"" + Number(y) + "\" stroke=\"" + colour + "\" stroke-width=\"" + Number(width) +
         "\" stroke-linecap=\"round\"/>\n";
}

std::string TextAt(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + Number(x) + "\" y=\"" + Number(y) + "\" text-anchor=\"" + anchor + "\">" +
         Safe(text) + "</text>\n";
}

std::string PageBegin(const std::string& target, const std::string& what, const std::string& rows) {
  return "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
         Safe(target) + ", explained</title>\n<style>\n" + kPageStyle +
         "</style></head>\n<body><main>\n<h1>" + Safe(target) + ", explained</h1>\n<p>" + what +
         " over <code>" + Safe(rows) + "</code></p>\n";
}

std::string PageEnd(const ModelPrivacy& privacy) {
  std::string html = "<h2>What it cost, and what that means</h2>\n<p>" + Safe(PromiseOf(privacy)) +
                     "</p>\n<p class=\"note\">" + Safe(privacy.unit) + "</p>\n";
  if (!privacy.receipt.empty()) {
    html += "<p class=\"note\">receipt <code>" + Safe(privacy.receipt) + "</code></p>\n";
  }
  return html + "</main></body>\n</html>\n";
}

}  // namespace tacit::learn
