#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choices.h"
#include "features.h"

namespace tacit::adversary {

// What a column holds, as far as expressions care.
enum class Kind { kInt, kNum, kReal, kText, kBool, kDate, kTime, kZoned, kSpan, kUuid, kOther };

struct Column {
  std::string name = {};
  Kind kind = Kind::kInt;
  int unit = 0;  // 0: no unit; else people of which kind it names
  bool hidden = false;
  bool bounded = false;   // a sum of it can be expected to pass
  bool keyed = false;     // has public keys
  std::string from = {};  // the alias that it is reached by

  std::string Sql() const { return from.empty() ? name : from + "." + name; }
};
using Columns = std::vector<Column>;

// The same columns under an alias.
Columns Reached(Columns columns, const std::string& alias);
// Those that name people; the first of them, or null.
Columns UnitsOf(const Columns& columns);
const Column* UnitIn(const Columns& columns);
// Adds to a list of items.
void Append(std::string& items, const std::string& item);

// Something that stands in FROM, and what can be named because of it.
struct Relation {
  std::string from;
  Columns columns;
};

struct StoredTableShape;

// A whole query, or one in parentheses, and its columns.
struct Select {
  std::string text;
  Columns columns;
};

// Writes one query over the tables of world/schema.sql from a list of choices: most of them within
// the rules, and some at their edge. Files: literals.cc, expressions.cc, conditions.cc,
// relations.cc, people.cc (inside one person), aggregates.cc, queries.cc.
class Generator {
 public:
  // Queries read `favourite` more often than other tables, empty: people and their visits; and
  // bring it together with `partner`, if any.
  Generator(Choices& choices, Features& features, std::string favourite, std::string partner)
      : c_(choices),
        features_(features),
        favourite_(std::move(favourite)),
        partner_(std::move(partner)) {}

  std::string Query();

  // Whether the query looks at a hidden column in a way that must be refused or without effect.
  bool UsesHidden() const { return uses_hidden_; }
  // Whether it counts one's values, which it may.
  bool CountsHidden() const { return counts_hidden_; }

 private:
  // literals.cc
  std::string Literal(Kind kind);
  std::string SmallNumber();

  // expressions.cc
  std::string Expression(Kind kind, const Columns& scope, int depth);
  std::string Number(const Columns& scope, int depth);
  std::string IntExpression(const Columns& scope, int depth);
  std::string NumericExpression(const Columns& scope, int depth);
  std::string RealExpression(const Columns& scope, int depth);
  std::string TextExpression(const Columns& scope, int depth);
  std::string PatternExpression(const Columns& scope, int depth);
  std::string DateExpression(const Columns& scope, int depth);
  std::string TimeExpression(const Columns& scope, int depth);
  std::string SpanExpression(const Columns& scope, int depth);
  std::string Conditional(Kind kind, const Columns& scope, int depth);
  std::optional<Column> ColumnOf(Kind kind, const Columns& scope);
  const Column* AnyColumn(const Columns& scope);
  std::string OrHidden(const std::string& expression, const Columns& scope);
  Kind AnyKind();
  std::string Bounded(const Columns& scope, int depth);

  // conditions.cc
  std::string Condition(const Columns& scope, int depth);
  std::string Comparison(const Columns& scope, int depth);
  std::string UnitSubquery(const Columns& scope, int depth);
  std::string PublicSubquery(const Columns& scope);
  std::string Where(const Columns& scope, int depth);
  std::string ScalarOfPerson(const Columns& scope, int depth);

  // relations.cc
  Relation Rows(int depth);
  Relation StoredTable(int domain);
  Relation Stored(const std::string& name);
  Relation Read(const StoredTableShape& table);
  int AlikeOrNot(int domain);
  Relation PublicTable();
  Relation Values();
  Relation UnitJoin(int depth);
  Relation CopyOfMissingUnit(const Relation& left, const Relation& right, const Column& unit,
                             const Column& other);
  Relation PublicJoin(int depth);
  Relation ValuesJoin(int depth);
  Relation ResultJoin(int depth);
  Relation InParentheses(const Select& select);
  std::string Alias() { return "t" + std::to_string(++aliases_); }

  // people.cc: selects whose rows still belong to people
  Select RowsOfPeople(int depth);
  Select Projection(int depth);
  Select DistinctRows(int depth);
  Select DistinctOn(int depth);
  Select GroupedByPerson(int depth);
  Select Windowed(int depth);
  Select UnionAll(int depth);
  std::string WindowCall(const Columns& scope, const std::string& units, Column* made);
  std::string PersonAggregate(const Columns& scope, Column* made);

  // aggregates.cc
  std::string Aggregate(const Columns& scope, Column* made);
  std::string Filter(const Columns& scope);
  std::string GroupKey(const Columns& scope, Column* made);
  std::string CaseOfLiterals(const Columns& scope);

  // queries.cc: selects whose rows may leave
  Select Released(int depth);
  Select Above(int depth);
  std::string GroupBy(const std::vector<std::string>& keys);
  Select Aggregated(int depth);
  Select Probe(const Relation& rows);
  Select SetOperation(int depth);
  Select JoinedAbove(int depth);
  Select WindowAbove(int depth);
  Select Recursive(int depth);
  Select DistinctKeys(int depth);
  std::string Ending(const Columns& columns);

  Choices& c_;
  Features& features_;
  std::string favourite_;
  std::string partner_;
  bool uses_hidden_ = false;
  bool counts_hidden_ = false;
  int aliases_ = 0;
  int columns_ = 0;
  int subqueries_ = 0;
  int scans_ = 0;
  std::vector<std::pair<std::string, Select>> with_;  // common tables, protected rows
};

// The stored tables, by what people they are of.
struct StoredTableShape {
  std::string name = {};
  int domain = 0;
  Columns columns;
  bool refused = false;  // every question to it has to be
};
const std::vector<StoredTableShape>& StoredTables();
const StoredTableShape& PublicTowns();

}  // namespace tacit::adversary
