#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/rational.h"

// The one release that many models are made of: how many rows there are, and the sums of all
// products of two of their columns, each on its public range. proof.md has the claim.
namespace tacit::learn {

// A column of the rows to learn from, as everybody may know it. `low` is below `high`.
struct Column {
  std::string name;
  bool is_boolean = false;  // true counts as 1, false as 0
  Rational low = 0;         // what lies outside counts as the nearer end
  Rational high = 1;
  // Of a boolean that says whether a column of texts has one of its listed values: that column, the
  // value, and the one that all are compared with, which has no boolean of its own.
  std::string of = {};
  std::string value = {};
  std::string reference = {};

  // The column that the rows have.
  const std::string& Source() const { return of.empty() ? name : of; }

  double Middle() const { return Rational((low + high) / 2).get_d(); }
  double Half() const { return Rational((high - low) / 2).get_d(); }
};

// Which numbers are asked for. Term 0 is 1 in every row; term i, of column i - 1, is
// (x - Middle) / Half, and so lies in [-1, 1].
class Pairs {
 public:
  explicit Pairs(const std::vector<Column>& columns);

  size_t terms() const { return terms_; }
  // The numbers, as pairs of terms, the first not behind the second: (0, 0) is the number of rows.
  const std::vector<std::pair<size_t, size_t>>& asked() const { return asked_; }
  // Which of the numbers is the sum of the product of these terms. The square of a boolean's term
  // is 1 in every row, and is not asked for.
  size_t At(size_t i, size_t j) const { return places_[i * terms_ + j]; }

 private:
  size_t terms_;
  std::vector<std::pair<size_t, size_t>> asked_;
  std::vector<size_t> places_;
};

// The query that gives these numbers, in one row with a column m0, m1, ... for each, of `rows`, a
// SELECT with these columns. A row in which one of them is NULL counts nowhere. Its m0 is the
// number of rows; sums are in the columns' units: of (x - Middle), and of 1 or -1 for a boolean.
// proof: learn/proof.md#the-numbers
std::string MomentsQuery(const std::vector<Column>& columns, const std::string& rows);

// By what a number of the query is divided to be of terms.
double UnitOf(const std::vector<Column>& columns, const std::pair<size_t, size_t>& pair);

// What was released: public from here on. Numbers are of terms.
struct Moments {
  std::vector<Column> columns;
  std::vector<double> values;     // in the order of Pairs::asked
  std::vector<double> variances;  // of the noise in each
};

}  // namespace tacit::learn
