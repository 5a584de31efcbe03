#include <algorithm>
#include <cstdio>

#include "release/report/report.h"

namespace tacit::release {
namespace {

constexpr char kStyle[] =
    R"(body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f6f5f1; color: #1d2327; }
main { max-width: 980px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 30px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 36px 0 8px; }
.warning { background: #fff3d6; border-left: 4px solid #d08700; padding: 10px 14px; margin: 16px 0; }
.facts { display: flex; gap: 16px; flex-wrap: wrap; margin: 20px 0; }
.fact { background: #fff; border-radius: 8px; padding: 14px 18px; min-width: 170px; box-shadow: 0 1px 3px #0002; }
.fact b { display: block; font-size: 28px; line-height: 1.2; }
.chart { background: #fff; border-radius: 8px; padding: 12px 16px; box-shadow: 0 1px 3px #0002; }
.bar { display: grid; grid-template-columns: 190px 1fr 90px; align-items: center; gap: 12px; margin: 5px 0; }
.bar span:first-child { text-align: right; } .bar span:last-child { font-variant-numeric: tabular-nums; }
.track { background: #eceae3; border-radius: 3px; height: 18px; }
.fill { background: #9aa7b1; border-radius: 3px; height: 18px; } .own .fill { background: #1f6f6b; }
table { border-collapse: collapse; background: #fff; border-radius: 8px; box-shadow: 0 1px 3px #0002; }
th, td { padding: 5px 12px; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { font-weight: 600; } th[colspan] { text-align: center; }
.errors th, .errors td { padding: 5px 8px; font-size: 14px; }
tr.own td { color: #1f6f6b; } .heat td { min-width: 44px; text-align: center; font-size: 12px; padding: 8px 4px; }
.heat th { font-size: 12px; font-weight: 500; } .scroll { overflow-x: auto; }
.own { font-weight: 600; } p.note { color: #555; margin: 6px 0 10px; }
)";

std::string Escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string Shown(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

struct Bar {
  std::string name;
  double value = 0;
};

// Bars from `low` to the largest value; the first is the file's own.
std::string Chart(const std::string& title, const std::string& note, const std::vector<Bar>& bars,
                  const char* format, double low) {
  double most = low;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  std::string html =
      "<h2>" + title + "</h2><p class=\"note\">" + note + "</p><div class=\"chart\">";
  for (size_t i = 0; i < bars.size(); ++i) {
    const double share =
        most > low ? std::clamp((bars[i].value - low) / (most - low), 0.0, 1.0) : 0;
    html += std::string("<div class=\"bar") + (i == 0 ? " own" : "") + "\"><span>" +
            Escaped(bars[i].name) +
            "</span><div class=\"track\"><div class=\"fill\" style=\"width:" +
            Shown("%.1f", 100 * share) + "%\"></div></div><span>" + Shown(format, bars[i].value) +
            "</span></div>";
  }
  return html + "</div>\n";
}

std::string Fact(const std::string& number, const std::string& what) {
  return "<div class=\"fact\"><b>" + number + "</b>" + what + "</div>";
}

template <class Of>
std::vector<Bar> BarsOf(const QualityReport& report, const Of& of) {
  std::vector<Bar> bars;
  for (const Score& score : report.scores) bars.push_back({score.name, of(score)});
  return bars;
}

double UniqueShare(const Score& score) {
  if (score.unique.unique == 0) return 0;
  return 100.0 * static_cast<double>(score.unique.matched) /
         static_cast<double>(score.unique.unique);
}

// What the sums of shares of equal tables differ by is rounding.
constexpr double kNothing = 1e-12;
constexpr const char* kWays[] = {"one column", "two columns", "three columns"};

// Every error of every table of one, two and three columns: the largest of a cell, the mean one and
// the mean total variation.
std::string ErrorsTable(const QualityReport& report) {
  const Score& own = report.scores.front();
  std::string head = "<tr><th></th>";
  std::string below = "<tr><th></th>";
  for (size_t ways = 0; ways < own.ways.size(); ++ways) {
    if (own.ways[ways].tables == 0) continue;
    head += std::string("<th colspan=\"3\">") + kWays[ways] + "</th>";
    below += "<th>largest</th><th>mean</th><th>TV</th>";
  }
  std::string html =
      "<h2>All errors</h2><p class=\"note\">As shares of the rows: the largest error of a cell, "
      "the mean one, and the mean total variation (TV) of a table.</p>"
      "<div class=\"scroll\"><table class=\"errors\">" +
      head + "</tr>" + below + "</tr>";
  for (size_t s = 0; s < report.scores.size(); ++s) {
    const Score& score = report.scores[s];
    html += std::string("<tr") + (s == 0 ? " class=\"own\"" : "") + "><td>" + Escaped(score.name) +
            "</td>";
    for (const TableErrors& errors : score.ways) {
      if (errors.tables == 0) continue;
      html += "<td>" + Shown("%.4f", errors.max) + "</td><td>" +
              (errors.max < kNothing ? "0" : Shown("%.2e", errors.mean)) + "</td><td>" +
              Shown("%.4f", errors.total_variation) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</table></div>\n";
}

// Coefficients side by side, and how far they are from those of the real rows.
std::string RegressionChart(const QualityReport& report) {
  if (report.explained.empty() || report.of_real.coefficients.empty()) return "";
  std::string html =
      "<h2>A regression of " + Escaped(report.explained) +
      "</h2><p class=\"note\">Coefficients in standard deviations of the real rows, and the share "
      "of the real variance that they explain.</p><div class=\"scroll\"><table><tr><th></th>";
  for (const std::string& name : report.predictors) html += "<th>" + Escaped(name) + "</th>";
  html += "<th>R&sup2;</th></tr>";
  const auto row = [&](const std::string& name, const Regression& fit, bool own) {
    html += std::string("<tr") + (own ? " class=\"own\"" : "") + "><td>" + Escaped(name) + "</td>";
    for (size_t i = 0; i < report.predictors.size(); ++i) {
      html += "<td>" +
              (i < fit.coefficients.size() ? Shown("%.3f", fit.coefficients[i]) : "&ndash;") +
              "</td>";
    }
    html += "<td>" + Shown("%.3f", fit.r_squared) + "</td></tr>";
  };
  row("real rows", report.of_real, false);
  std::vector<Bar> bars;
  for (size_t s = 0; s < report.scores.size(); ++s) {
    row(report.scores[s].name, report.regressions[s], s == 0);
    bars.push_back(
        {report.scores[s].name, CoefficientError(report.regressions[s], report.of_real)});
  }
  return html + "</table></div>\n" +
         Chart("Error of the coefficients",
               "Root mean square distance from the real rows' coefficients. Shorter is better.",
               bars, "%.4f", 0);
}

// Which pairs of columns are farthest off; darker is worse.
std::string HeatMap(const QualityReport& report) {
  // Why 30: more columns do not fit a page.
  if (report.columns.size() < 2 || report.columns.size() > 30) return "";
  double most = 1e-9;
  for (const auto& line : report.pair_errors) {
    for (const double error : line) most = std::max(most, error);
  }
  std::string html =
      "<h2>Pairs of columns</h2><p class=\"note\">Total variation of each table of two columns "
      "in this file, in percent of the rows; darker is worse.</p>"
      "<div class=\"scroll\"><table class=\"heat\"><tr><th></th>";
  for (const std::string& name : report.columns) html += "<th>" + Escaped(name) + "</th>";
  html += "</tr>";
  for (size_t a = 0; a < report.columns.size(); ++a) {
    html += "<tr><th>" + Escaped(report.columns[a]) + "</th>";
    for (size_t b = 0; b < report.columns.size(); ++b) {
      if (a == b) {
        html += "<td></td>";
        continue;
      }
      const double error = report.pair_errors[a][b];
      html += "<td style=\"background:rgba(31,111,107," + Shown("%.2f", 0.75 * error / most) +
              ")\">" + Shown("%.1f", 100 * error) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string ToHtml(const QualityReport& report) {
  const Score& own = report.scores.front();
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>How good the synthetic table "
      "is</title><style>";
  html += kStyle;
  html += "</style></head><body><main><h1>How good the synthetic table is</h1><p>" +
          std::to_string(report.made_rows) + " rows beside " + std::to_string(report.real_rows) +
          " real ones, " + std::to_string(report.columns.size()) + " columns: ";
  for (size_t i = 0; i < report.columns.size(); ++i) {
    html += (i == 0 ? "" : ", ") + Escaped(report.columns[i]);
  }
  html +=
      ".</p><p class=\"warning\"><b>For the owner alone.</b> This page was computed from the real "
      "rows, without noise: it is not for release.</p><div class=\"facts\">";
  html += Fact(Shown("%.1f", KMarginal(own.ways[1])), "k-marginal score of 1000");
  html += Fact(report.as_good_as_sample > 0 ? Shown("%.2g", 100 * report.as_good_as_sample) + " %"
                                            : "below 1 %",
               "a sample of this share is as good");
  html += Fact(Shown("%.1f", UniqueShare(own)) + " %", "of unique real rows occur in it");
  html += Fact(Shown("%.1f", 100 * own.accuracy) + " %",
               "right: a classifier taught by it (by the real rows: " +
                   Shown("%.1f", 100 * report.accuracy_of_real) + " %)");
  html += "</div>\n";
  html += Chart("k-marginal score",
                "NIST's score over all pairs of columns; longer is better. The "
                "bars start at 800.",
                BarsOf(report, [](const Score& s) { return KMarginal(s.ways[1]); }), "%.1f", 800);
  for (size_t ways = 1; ways <= 3; ++ways) {
    if (own.ways[ways - 1].tables == 0) continue;
    html += Chart("Tables of " + std::string(kWays[ways - 1]),
                  "Mean total variation over " + std::to_string(own.ways[ways - 1].tables) +
                      " tables: the share of rows that would have to move. Shorter is better. "
                      "Largest error of a cell in this file: " +
                      Shown("%.4f", own.ways[ways - 1].max) + ".",
                  BarsOf(report, [&](const Score& s) { return s.ways[ways - 1].total_variation; }),
                  "%.4f", 0);
  }
  html += ErrorsTable(report);
  html += Chart("Unique real rows that occur",
                "Of the " + std::to_string(own.unique.unique) +
                    " real rows that occur once, in percent; wide columns are in at most 20 bins. "
                    "A sample holds its own share of them.",
                BarsOf(report, UniqueShare), "%.1f %%", 0);
  html +=
      Chart("A classifier taught by these rows",
            "Naive Bayes, asked about the real rows; percent right, mean over columns of 2 to 20 "
            "values. Longer is better.",
            BarsOf(report, [](const Score& s) { return 100 * s.accuracy; }), "%.1f %%", 0);
  html += RegressionChart(report) + HeatMap(report);
  return html + "</main></body></html>\n";
}

}  // namespace tacit::release
