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

PeopleQuestion RowsQuestion(const policy::Table& table, const std::string& unit) {
  PeopleQuestion question{.about = table.name + ": people with more rows than",
                          .sql = "SELECT count(*)",
                          .above = {"1", "2", "5", "10", "20", "50", "100"},
                          .path = {"tables", table.name, "rows_per_unit"},
                          .value = "$"};
  for (const std::string& cap : question.above) {
    question.sql += ", count(*) FILTER (WHERE n > " + cap + ")";
  }
  question.sql += " FROM (SELECT " + QuoteName(unit) + ", count(*) AS n FROM " +
                  QuoteName(table.name) + " GROUP BY " + QuoteName(unit) + ") AS each_person";
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
  const std::string people = unit.empty() ? "count(*)" : "count(DISTINCT " + QuoteName(unit) + ")";
  question.sql = "SELECT " + people;
  for (const std::string& bound : question.above) {
    question.sql +=
        ", " + people + " FILTER (WHERE " + QuoteName(column.name) + " > " + bound + ")";
  }
  question.sql += " FROM " + QuoteName(table.name);
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
    if (unit_column != nullptr && !unit_column->unique) {
      questions.push_back(RowsQuestion(table, unit));
    }
    for (const policy::SchemaColumn& column : stored->columns) {
      const policy::Column* declared = table.Find(column.name);
      const bool is_listed = declared != nullptr && (declared->keys || declared->hidden);
      if (!column.type.IsNumber() || is_listed || &column == unit_column) continue;
      questions.push_back(BoundsQuestion(table, unit, column));
    }
  }
  return questions;
}

}  // namespace tacit::gateway
