#include "release/report/report.h"

#include <cstdio>

namespace tacit::release {
namespace {

// Why 20: more than a thousand tables of three columns take long, and pairs tell the same.
constexpr size_t kTripleColumns = 20;
constexpr double kSamples[] = {0.01, 0.05, 0.2, 0.5};

std::string Printed(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// The largest and the mean error of a cell, and the mean total variation, of all tables of one, two
// and three columns.
std::string ErrorsText(const QualityReport& report) {
  char line[128];
  std::snprintf(line, sizeof line, "\n%-20s", "");
  std::string text = line;
  for (size_t ways = 1; ways <= 3; ++ways) {
    if (report.scores[0].ways[ways - 1].tables == 0) continue;
    std::snprintf(line, sizeof line, " %zu-way: max     mean       TV", ways);
    text += line;
  }
  text += "\n";
  for (const Score& score : report.scores) {
    std::snprintf(line, sizeof line, "%-20s", score.name.c_str());
    text += line;
    for (const TableErrors& errors : score.ways) {
      if (errors.tables == 0) continue;
      std::snprintf(line, sizeof line, "     %7.4f %8.2e %8.4f", errors.max, errors.mean,
                    errors.total_variation);
      text += line;
    }
    text += "\n";
  }
  return text;
}

// How one number follows from the others, in each table.
std::string RegressionText(const QualityReport& report) {
  if (report.explained.empty()) return "";
  std::string text = "\nRegression of " + report.explained +
                     ", coefficients in standard deviations of the real rows:\n";
  char line[128];
  const auto add = [&](const std::string& name, const Regression& fit) {
    std::snprintf(line, sizeof line, "%-20s", name.c_str());
    text += line;
    for (size_t i = 0; i < report.predictors.size(); ++i) {
      const double coefficient = i < fit.coefficients.size() ? fit.coefficients[i] : 0;
      std::snprintf(line, sizeof line, " %s %.3f", report.predictors[i].c_str(), coefficient);
      text += line;
    }
    std::snprintf(line, sizeof line, "; R^2 on the real rows %.3f, off by %.3f\n", fit.r_squared,
                  CoefficientError(fit, report.of_real));
    text += line;
  };
  add("real rows", report.of_real);
  for (size_t s = 0; s < report.scores.size(); ++s) {
    add(report.scores[s].name, report.regressions[s]);
  }
  return text;
}

}  // namespace

QualityReport MakeReport(const TablePair& pair, Entropy& entropy,
                         const std::function<void(const std::string&, double)>& progress) {
  const bool triples = pair.coding.names.size() <= kTripleColumns;
  QualityReport report{.columns = pair.coding.names,
                       .left_out = pair.left_out,
                       .real_rows = pair.real.rows(),
                       .made_rows = pair.made.rows(),
                       .scores = {},
                       .accuracy_of_real = 0,
                       .as_good_as_sample = 0,
                       .explained = {},
                       .predictors = {},
                       .of_real = {},
                       .regressions = {},
                       .pair_errors = {}};
  const std::optional<size_t> explained = ExplainedColumn(pair.real);
  if (explained) {
    report.explained = pair.coding.number_names[*explained];
    for (size_t c = 0; c < pair.coding.number_names.size(); ++c) {
      if (c != *explained) report.predictors.push_back(pair.coding.number_names[c]);
    }
    report.of_real = Regress(pair.real, pair.real, *explained);
  }
  report.pair_errors = PairErrors(pair.real, pair.made, pair.coding);
  const auto add = [&](const std::string& name, const CodedTable& made) {
    if (progress) progress(name, 100.0 * static_cast<double>(report.scores.size()) / 6);
    report.scores.push_back(ScoreOf(name, pair.real, made, pair.coding, triples));
    if (explained) report.regressions.push_back(Regress(made, pair.real, *explained));
  };
  add("this file", pair.made);
  add("independent columns", Shuffled(pair.real, entropy));
  std::vector<std::pair<double, double>> samples;
  for (const double share : kSamples) {
    add("sample of " + Printed("%g", share * 100) + " %", Sampled(pair.real, share, entropy));
    const size_t ways = pair.coding.names.size() > 1 ? 1 : 0;
    samples.emplace_back(share, report.scores.back().ways[ways].total_variation);
  }
  const size_t ways = pair.coding.names.size() > 1 ? 1 : 0;
  report.as_good_as_sample =
      AsGoodAsSample(report.scores.front().ways[ways].total_variation, samples);
  for (const size_t target : TargetsOf(pair.coding)) {
    report.accuracy_of_real += ClassifierAccuracy(pair.real, pair.real, pair.coding, target) /
                               static_cast<double>(TargetsOf(pair.coding).size());
  }
  return report;
}

std::string ToText(const QualityReport& report) {
  std::string text =
      "For the owner alone: this report was computed from the real rows, without noise.\n\n";
  text += std::to_string(report.made_rows) + " rows beside " + std::to_string(report.real_rows) +
          " real ones, " + std::to_string(report.columns.size()) + " columns in common";
  if (!report.left_out.empty()) {
    text += " (" + std::to_string(report.left_out.size()) + " real ones left out)";
  }
  text += ".\n\n";
  char line[256];
  std::snprintf(line, sizeof line, "%-20s %10s %8s %10s\n", "", "k-marginal", "unique",
                "classifier");
  text += line;
  for (const Score& score : report.scores) {
    const double unique = score.unique.unique == 0
                              ? 0
                              : 100.0 * static_cast<double>(score.unique.matched) /
                                    static_cast<double>(score.unique.unique);
    std::snprintf(line, sizeof line, "%-20s %10.1f %7.1f%% %9.1f%%\n", score.name.c_str(),
                  KMarginal(score.ways[1]), unique, 100 * score.accuracy);
    text += line;
  }
  text += ErrorsText(report) + RegressionText(report);
  text += "\nTaught by the real rows the classifier is right in " +
          Printed("%.1f", 100 * report.accuracy_of_real) + " % of cases.\n";
  if (report.as_good_as_sample > 0) {
    text += "By its pairs the file is as good as a sample of " +
            Printed("%.2g", 100 * report.as_good_as_sample) + " % of the real rows.\n";
  } else {
    text += "By its pairs the file is worse than a sample of 1 % of the real rows.\n";
  }
  text +=
      "\nk-marginal: NIST's score over all pairs of columns, 1000 is exact.\n"
      "max, mean: errors of cells as shares of the rows; TV: mean total variation of tables.\n"
      "unique: of the real rows that occur once, those that occur here. Wide columns are in at\n"
      "most 20 bins, so these are more than rows that are equal in every digit.\n"
      "classifier: naive Bayes taught by these rows and asked about the real ones, mean over\n"
      "columns.\n";
  return text;
}

}  // namespace tacit::release
