#pragma once

#include <functional>

#include "release/report/read_pair.h"
#include "release/report/regression.h"

namespace tacit::release {

// How good a made table is, beside what independent columns and samples of the real rows would be.
// It is computed from the real rows, exactly: for the owner, and not for release.
struct QualityReport {
  std::vector<std::string> columns;
  std::vector<std::string> left_out;
  size_t real_rows = 0;
  size_t made_rows = 0;
  std::vector<Score> scores;     // the made table first
  double accuracy_of_real = 0;   // a classifier that was taught by the real rows
  double as_good_as_sample = 0;  // this share of the real rows, by total variation of pairs
  // A regression of one column of numbers on the others, where there are two or more.
  std::string explained;
  std::vector<std::string> predictors;
  Regression of_real;
  std::vector<Regression> regressions;           // by score
  std::vector<std::vector<double>> pair_errors;  // of the made table, columns x columns
};

QualityReport MakeReport(const TablePair& pair, Entropy& entropy,
                         const std::function<void(const std::string&, double)>& progress);

std::string ToText(const QualityReport& report);
// One page with its charts, without scripts and without anything from elsewhere.
std::string ToHtml(const QualityReport& report);

}  // namespace tacit::release
