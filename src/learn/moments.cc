#include "learn/moments.h"

#include "base/assert.h"
#include "sql/print/quote.h"

namespace tacit::learn {
namespace {

// Why 9: derived ends that are no decimals (a third) are moved outwards by less than a billionth.
const Integer kDecimals = 1'000'000'000;

// A decimal at or below the number, and it itself where it is one of few digits.
Rational DecimalDown(const Rational& value) {
  return Rational(Rational(FloorOf(Rational(value * kDecimals))) / kDecimals);
}
Rational DecimalUp(const Rational& value) { return Rational(-DecimalDown(Rational(-value))); }

std::string Parenthesised(const Rational& value) {
  const std::string text = ToString(value);
  return value < 0 ? "(" + text + ")" : text;
}

std::string ColumnOf(const Column& column) {
  return "tacit_rows." + sql::QuoteIdentifierIfNeeded(column.name);
}

// What a row adds to the sum of the column's term, in the column's unit.
std::string SummandOf(const Column& column) {
  const std::string name = ColumnOf(column);
  if (column.is_boolean) return "CASE WHEN " + name + " THEN 1 ELSE -1 END";
  const Rational low = DecimalDown(column.low);
  const Rational high = DecimalUp(column.high);
  const Rational middle = Rational((low + high) / 2);
  return "CAST(least(greatest(" + name + ", " + Parenthesised(low) + "), " + Parenthesised(high) +
         ") AS double precision) - " + Parenthesised(middle);
}

std::string TermName(size_t term) { return "u" + std::to_string(term); }

double UnitOfTerm(const std::vector<Column>& columns, size_t term) {
  return term == 0 || columns[term - 1].is_boolean ? 1 : columns[term - 1].Half();
}

}  // namespace

Pairs::Pairs(const std::vector<Column>& columns)
    : terms_(columns.size() + 1), places_(terms_ * terms_, 0) {
  for (size_t i = 0; i < terms_; ++i) {
    for (size_t j = i; j < terms_; ++j) {
      if (i == j && i > 0 && columns[i - 1].is_boolean) continue;  // 1 in every row: place 0
      places_[i * terms_ + j] = places_[j * terms_ + i] = asked_.size();
      asked_.emplace_back(i, j);
    }
  }
}

std::string MomentsQuery(const std::vector<Column>& columns, const std::string& rows) {
  std::string sums;
  size_t number = 0;
  const Pairs pairs(columns);
  for (const auto& [i, j] : pairs.asked()) {
    const std::string summand = i == 0 ? TermName(j) : TermName(i) + " * " + TermName(j);
    sums += (number == 0 ? "count(*)" : ", sum(" + summand + ")") + std::string(" AS m") +
            std::to_string(number);
    ++number;
  }
  std::string terms;
  std::string known;
  for (size_t c = 0; c < columns.size(); ++c) {
    terms += (c == 0 ? "" : ", ") + SummandOf(columns[c]) + " AS " + TermName(c + 1);
    known += (c == 0 ? "" : " AND ") + ColumnOf(columns[c]) + " IS NOT NULL";
  }
  return "SELECT " + sums + " FROM (SELECT " + terms + " FROM (" + rows + ") AS tacit_rows WHERE " +
         known + ") AS tacit_terms";
}

double UnitOf(const std::vector<Column>& columns, const std::pair<size_t, size_t>& pair) {
  return UnitOfTerm(columns, pair.first) * UnitOfTerm(columns, pair.second);
}

}  // namespace tacit::learn
