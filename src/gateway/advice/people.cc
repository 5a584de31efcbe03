#include <algorithm>
#include <cmath>

#include "engine/duckdb/database/database.h"
#include "gateway/advice/advice.h"

namespace tacit::gateway {
namespace {

using engine::duckdb::QuoteName;  // as PostgreSQL quotes

// The column of the table itself that holds its person; empty where there is none.
std::string UnitColumnOf(const policy::Policy& policy, const policy::Table& table) {
  if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) return unit->column;
  const policy::UnitPath path = policy.PathOf(table);
  if (path.hops.size() != 1 || path.NeedsUniqueKey(0)) return "";
  return path.hops[0].via;
}

// Of every person one number, as `n`, by which they are put into groups: the last candidate that it
// is above.
std::string InBands(const std::vector<std::string>& above, const std::string& people) {
  std::string text = "SELECT CASE";
  for (size_t i = above.size(); i > 0; --i) {
    text += " WHEN n > " + above[i - 1] + " THEN " + std::to_string(i);
  }
  return text + " ELSE 0 END AS band, count(*) FROM (" + people + ") AS each_person GROUP BY 1";
}

std::string EachPerson(const policy::Table& table, const std::string& unit,
                       const std::string& number) {
  return "SELECT " + QuoteName(unit) + ", " + number + " AS n FROM " + QuoteName(table.name) +
         " GROUP BY " + QuoteName(unit);
}

PeopleQuestion RowsQuestion(const policy::Table& table, const std::string& unit) {
  PeopleQuestion question{.about = table.name + ": people with more rows than",
                          .sql = "",
                          .above = {"1", "2", "5", "10", "20", "50", "100", "200", "500", "1000"},
                          .path = {"tables", table.name, "rows_per_unit"},
                          .value = "$",
                          .cuts_sums = true};
  question.sql = InBands(question.above, EachPerson(table, unit, "count(*)"));
  return question;
}

// Powers of ten are nobody's secret; where bounds are declared, those and parts of them.
PeopleQuestion BoundsQuestion(const policy::Table& table, const std::string& unit,
                              const policy::SchemaColumn& column) {
  const policy::Column* declared = table.Find(column.name);
  PeopleQuestion question{.about = table.name + "." + column.name + ": people with a value above",
                          .sql = "",
                          .above = {"1", "10", "100", "1000", "10000", "100000", "1000000"},
                          .path = {"tables", table.name, "columns", column.name, "bounds"},
                          .value = "[0, $]"};
  if (declared != nullptr && declared->bounds && declared->bounds->high > 0) {
    const Rational& high = declared->bounds->high;
    question.above.clear();
    for (const Rational& part : {Rational(1, 10), Rational(1, 2), Rational(1), Rational(2)}) {
      question.above.push_back(ToString(Rational(high * part)));
    }
    question.value = "[" + ToString(declared->bounds->low) + ", $]";
  }
  const std::string value = QuoteName(column.name);
  question.sql = InBands(question.above,
                         unit.empty() ? "SELECT " + value + " AS n FROM " + QuoteName(table.name)
                                      : EachPerson(table, unit, "max(" + value + ")"));
  return question;
}

// What the values of one person add up to, each within its bounds: so many times the larger bound.
std::optional<PeopleQuestion> SumQuestion(const policy::Table& table, const std::string& unit,
                                          const policy::SchemaColumn& column) {
  const policy::Column* declared = table.Find(column.name);
  if (declared == nullptr || !declared->bounds) return std::nullopt;
  const Rational& low = declared->bounds->low;
  const Rational& high = declared->bounds->high;
  const Rational largest = abs(low) < abs(high) ? abs(high) : abs(low);
  PeopleQuestion question{
      .about = table.name + "." + column.name + ": people whose values add up to more than",
      .sql = "",
      .above = {},
      .path = {"tables", table.name, "columns", column.name, "sum_per_unit"},
      .value = "$",
      .cuts_sums = true};
  for (const int factor : {1, 2, 5, 10, 20, 50, 100}) {
    question.above.push_back(ToString(Rational(largest * factor)));
  }
  const std::string value = "least(greatest(" + QuoteName(column.name) + ", " + ToString(low) +
                            "), " + ToString(high) + ")";
  const std::string size = low < 0 ? "abs(" + value + ")" : value;
  question.sql = InBands(question.above, EachPerson(table, unit, "sum(" + size + ")"));
  return question;
}

}  // namespace

std::vector<PeopleQuestion> PeopleQuestions(const policy::Policy& policy,
                                            const policy::Schema& schema) {
  std::vector<PeopleQuestion> questions;
  for (const policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = schema.Find(table.name);
    if (table.is_public || stored == nullptr) continue;
    const std::string unit = table.IsCapped() ? UnitColumnOf(policy, table) : "";
    if (table.IsCapped() && unit.empty()) continue;
    const policy::SchemaColumn* unit_column = unit.empty() ? nullptr : stored->Find(unit);
    const bool several = unit_column != nullptr && !unit_column->unique;
    if (several) questions.push_back(RowsQuestion(table, unit));
    for (const policy::SchemaColumn& column : stored->columns) {
      const policy::Column* declared = table.Find(column.name);
      const bool is_listed = declared != nullptr && (declared->keys || declared->hidden);
      if (!column.type.IsNumber() || is_listed || &column == unit_column) continue;
      questions.push_back(BoundsQuestion(table, unit, column));
      if (!several) continue;
      if (std::optional<PeopleQuestion> sum = SumQuestion(table, unit, column)) {
        questions.push_back(*std::move(sum));
      }
    }
  }
  return questions;
}

Weighed Weigh(const PeopleQuestion& question, const std::vector<double>& people, double moe,
              const policy::Privacy& privacy) {
  Weighed weighed;
  double all = 0;
  for (const double band : people) all += band;
  std::vector<double> numbers;
  for (const std::string& above : question.above) {
    numbers.push_back(ParseRational(above).value().get_d());
  }
  // Why the middle, and twice the last: nothing says where in a band people are.
  const auto middle = [&](size_t i) {
    return i + 1 < numbers.size() ? (numbers[i] + numbers[i + 1]) / 2 : 2 * numbers[i];
  };
  // As plan/price/group_cap.md reckons noise.
  const double factor = privacy.accounting == policy::Accounting::kPure ? 3 : 2;
  const double margin = factor / privacy.query.epsilon.value.get_d();
  std::optional<size_t> least;
  for (size_t i = 0; i < numbers.size(); ++i) {
    Candidate one;
    for (size_t j = i; j < numbers.size(); ++j) {
      one.people_above += people[j + 1];
      if (people[j + 1] > moe) one.cut += people[j + 1] * (middle(j) - numbers[i]);
    }
    // Noise of several groups, each by itself.
    one.people_moe = moe * std::sqrt(static_cast<double>(numbers.size() - i));
    one.noise_moe = margin * numbers[i];
    weighed.candidates.push_back(one);
    const bool few = one.people_above <= std::max(all / 100, one.people_moe);
    if (!least && few) least = i;
    if (!least || !question.cuts_sums) continue;
    const Candidate& best = weighed.candidates[*least];
    if (one.noise_moe + one.cut < best.noise_moe + best.cut) least = i;
  }
  weighed.chosen = least;
  return weighed;
}

}  // namespace tacit::gateway
