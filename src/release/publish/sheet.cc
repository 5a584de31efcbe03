#include "release/publish/sheet.h"

#include <cmath>
#include <cstdio>

namespace tacit::release {
namespace {

std::string SigmaWords(double rho_each, const MovedRows& moved) {
  char text[64];
  std::snprintf(text, sizeof text, "about %.3g rows a cell, one standard deviation",
                std::sqrt(moved.moved.l2_squared.get_d() / (2 * rho_each)) /
                    static_cast<double>(moved.parts));
  return text;
}

std::string Number(size_t number) { return std::to_string(number); }

// "1 table", "2 tables".
std::string Number(size_t number, const std::string& of, const std::string& rest) {
  return Number(number) + " " + of + (number == 1 ? "" : "s") + rest;
}

}  // namespace

Sheet ShowingSheet(const ShowingBudget& budget, const MovedRows& moved) {
  if (budget.columns == 0) return {};
  const Int128 parts = moved.parts;
  const Int128 rows = (ShowingThreshold(moved.moved, budget.each) + parts - 1) / parts;
  return {{"values of " + Number(budget.columns, "column", " that the policy does not list"),
           Rational(budget.each.rho * MakeRational(static_cast<Int128>(budget.columns))),
           "shown from about " + ToString(rows) + " rows on; half of delta"}};
}

Sheet StepsSheet(const Shares& shares, size_t columns, Workload workload, const Rational& rho,
                 const MovedRows& moved, const std::string& of) {
  Sheet sheet;
  const Rational histograms = rho * shares.histograms;
  sheet.push_back({Number(columns, "histogram", of + ", one a column"), histograms,
                   SigmaWords(histograms.get_d() / static_cast<double>(columns), moved)});
  if (shares.choosing > 0) {
    sheet.push_back({"choosing pairs of columns" + of, Rational(rho * shares.choosing),
                     "those that are farthest from independent"});
  }
  if (shares.pairs > 0) {
    const Rational pairs = rho * shares.for_pairs;
    sheet.push_back({Number(shares.pairs, "table", " of two columns" + of), pairs,
                     SigmaWords(pairs.get_d() / static_cast<double>(shares.pairs), moved) +
                         ", less for those with more to say"});
  }
  if (shares.queries > 0) {
    const bool rounds = shares.asked == 0;
    const std::string what =
        rounds                           ? "rounds of tables"
        : workload == Workload::kTriples ? Number(shares.asked, "table", " of three columns")
        : shares.asked == 1              ? "1 query of the workload"
                                         : Number(shares.asked) + " queries of the workload";
    sheet.push_back({what, Rational(rho * shares.queries),
                     rounds ? "in each one is chosen and counted"
                            : "15 % for choosing where not all are, the rest for counting"});
  }
  if (shares.estimate > 0) {
    sheet.push_back({"how far the rows" + of + " are off", Rational(rho * shares.estimate),
                     "one number, at the end"});
  }
  return sheet;
}

}  // namespace tacit::release
