#include "analysis/joins/join_public.h"

#include <algorithm>

#include "analysis/joins/row_limit.h"
#include "analysis/relations/literals.h"
#include "analysis/relations/public_table.h"
#include "analysis/rules.h"
#include "analysis/subqueries/constants.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

bool PreservesRows(const WrittenJoin& written, bool rows_first) {
  return written.join.kind == (rows_first ? sql::JoinKind::kLeft : sql::JoinKind::kRight);
}

// The conditions over both sides in the order in which they were written; the protected rows as
// they come out of the join, but for their source and their number.
Result<JoinConditions> JoinBeside(Known& known, const WrittenJoin& written,
                                  const ProtectedRows& rows, const ProtectedRows& added,
                                  bool rows_first, ProtectedRows& combined) {
  TACIT_TRY(JoinConditions conditions, ConditionsOf(known, written, rows_first ? rows : added,
                                                    rows_first ? added : rows, combined));
  combined.rows = rows.rows;
  // Public rows that match nobody have no unit: they become keys with zeros, and the keys of a
  // public table are all shown anyway.
  combined.rows.public_preserved =
      rows.rows.public_preserved || (!written.IsInner() && !PreservesRows(written, rows_first));
  return conditions;
}

// Nobody's rows carry no unit that could be compared.
RowSource SourceOf(sql::JoinKind kind, RowSource left, RowSource right,
                   std::vector<Expression> conditions) {
  return RowSource(RowSourceNode{RowJoin{.kind = kind,
                                         .left = std::move(left),
                                         .right = std::move(right),
                                         .left_unit = {},
                                         .right_unit = {},
                                         .on = sql::JoinConjuncts(std::move(conditions))}});
}

// The columns that a query picks of the table, under its names for them.
std::vector<NamedColumn> PickedOf(const std::vector<NamedColumn>& columns, const PublicItem& item) {
  std::vector<NamedColumn> picked;
  for (const auto& [stored, name] : item.picked) {
    for (const NamedColumn& column : columns) {
      if (column.name != stored) continue;
      picked.push_back(column);
      picked.back().name = name;
    }
  }
  return picked;
}

// Of the rows that a subquery chooses: groups by its column that has no value twice are among them,
// and others are left out above the frontier. Nothing where no such column is picked.
Result<std::optional<Membership>> AmongChosen(const Known& known, const WrittenJoin& written,
                                              const PublicItem& item, const ProtectedRows& added,
                                              const std::vector<Expression>& chosen) {
  using Among = std::optional<Membership>;
  const auto* derived = sql::As<sql::DerivedTable>(item.relation);
  const policy::SchemaTable* table = known.schema.Find(item.stored->name);
  for (size_t i = 0; derived != nullptr && i < item.picked.size(); ++i) {
    const policy::SchemaColumn* stored = table->Find(item.picked[i].first);
    if (stored == nullptr || !stored->unique) continue;
    sql::Select select;
    select.items.push_back({MakeExpression(sql::ColumnReference{"q", item.picked[i].second}), ""});
    sql::DerivedTable rows{derived->query, {"q", {}}};
    for (const auto& [column, name] : item.picked) rows.alias.columns.push_back(name);
    select.from.push_back(MakeRelation(std::move(rows), written.position));
    sql::QueryNode node;
    node.body = std::move(select);
    node.position = written.position;
    TACIT_TRY(const Constant closed, CloseQuery(known, sql::Query(std::move(node)),
                                                written.environment, written.position));
    const Expression& column = added.columns[i].expression;
    return Among(Membership{.operands = {column},
                            .joined = column,
                            .condition = sql::JoinConjuncts(chosen),
                            .values = closed.query});
  }
  return Among();
}

// One row for each value of the equated columns is one for each combination of all picked ones.
void MoveIntervals(const Known& known, const std::string& alias, JoinConditions& conditions) {
  for (std::vector<Expression>* list : {&conditions.on, &conditions.holding}) {
    for (Expression& conjunct : *list) conjunct = WithBareColumn(known, conjunct, alias);
  }
}

bool EquatesAll(const PublicItem& item, const std::vector<std::string>& equated) {
  return std::all_of(item.picked.begin(), item.picked.end(), [&](const auto& column) {
    return std::find(equated.begin(), equated.end(), column.first) != equated.end();
  });
}

}  // namespace

// proof: analysis/joins/joins.md#joins-how-many-rows-of-one-unit-come-out
Result<ProtectedRows> JoinPublic(Known& known, const WrittenJoin& written,
                                 const ProtectedRows& rows, const PublicItem& item,
                                 bool rows_first) {
  const sql::TableReference& table = *item.stored;
  if (written.join.kind == sql::JoinKind::kFull) {
    return Refuse(rules::kFullJoin, written.position,
                  "a FULL join with a public table makes rows that belong to nobody",
                  "use an inner join, or LEFT JOIN with the protected table first, or ask without "
                  "the public table: " +
                      ExampleCount(rows.rows));
  }
  ProtectedRows added = ScanPublicTable(known, table);
  std::vector<Expression> chosen;
  for (const Expression& conjunct : sql::SplitConjuncts(item.where)) {
    TACIT_TRY(chosen.emplace_back(), ResolveCondition(known, conjunct, added, written.environment));
  }
  if (!item.picked.empty()) added.columns = PickedOf(added.columns, item);
  TableScan scan = *As<TableScan>(added.rows.source);
  ProtectedRows combined;
  TACIT_TRY(JoinConditions conditions,
            JoinBeside(known, written, rows, added, rows_first, combined));
  MoveIntervals(known, scan.alias, conditions);
  for (const Expression& equality : conditions.holding) {
    const auto* column = EquatedColumn(known, equality, scan.alias);
    if (column == nullptr) continue;
    scan.unique_on.push_back(column->column);
    // Public rows may decide how they are read.
    const policy::SchemaColumn* stored = known.schema.Find(scan.table)->Find(column->column);
    scan.unit_is_unique = scan.unit_is_unique || (stored != nullptr && stored->unique);
  }
  // Which rows are meant is decided before one of each value is left: where there is one anyway it
  // is the same. A side that is kept shows the values of the chosen rows.
  const bool keeps_public = !written.IsInner() && !PreservesRows(written, rows_first);
  std::optional<Membership> among;
  if (!chosen.empty() && scan.unit_is_unique && !PreservesRows(written, rows_first)) {
    TACIT_TRY(among, AmongChosen(known, written, item, added, chosen));
  }
  if (!chosen.empty() && ((keeps_public && !among) || !scan.unit_is_unique)) {
    return Refuse(rules::kPublicJoin, written.position,
                  "rows of a public table that a subquery chooses can be joined with protected "
                  "rows on a column that has no value twice and that the subquery shows",
                  "join " + table.name +
                      " itself, and put the condition into WHERE; or ask without it: " +
                      ExampleCount(rows.rows));
  }
  if (among) {
    combined.rows.filters.push_back(among->condition);
    known.memberships.push_back(*std::move(among));
  } else {
    for (Expression& condition : chosen) conditions.on.push_back(std::move(condition));
  }
  if (item.distinct && !EquatesAll(item, scan.unique_on)) {
    return Refuse(
        rules::kPublicJoin, written.position,
        "every column of this SELECT DISTINCT must be equated with protected rows",
        "pick the column that is equated alone, or ask without it: " + ExampleCount(rows.rows));
  }
  if (scan.unique_on.empty()) {
    return Refuse(rules::kPublicJoin, written.position,
                  "a public table must be joined by an equality with one of its columns",
                  "write JOIN " + table.name + " ON t.code = " + table.name +
                      ".code with the columns that belong together, or ask without it: " +
                      ExampleCount(rows.rows));
  }
  combined.rows.source = SourceOf(
      PreservesRows(written, rows_first) ? sql::JoinKind::kLeft : sql::JoinKind::kInner,
      rows.rows.source, RowSource(RowSourceNode{std::move(scan)}), std::move(conditions.on));
  return combined;
}

// proof: analysis/relations/literals.md#claim
Result<ProtectedRows> JoinLiterals(Known& known, const WrittenJoin& written,
                                   const ProtectedRows& rows, const sql::DerivedTable& table,
                                   bool rows_first) {
  if (written.join.kind == sql::JoinKind::kFull) {
    return Refuse(rules::kFullJoin, written.position,
                  "a FULL join with VALUES makes rows of nobody",
                  "use an inner join, or ask without VALUES: " + ExampleCount(rows.rows));
  }
  TACIT_TRY(const ProtectedRows added, ScanLiterals(known, table, written.position));
  const LiteralRows& literals = *As<LiteralRows>(added.rows.source);
  ProtectedRows combined;
  TACIT_TRY(JoinConditions conditions,
            JoinBeside(known, written, rows, added, rows_first, combined));
  MoveIntervals(known, literals.alias, conditions);
  // An equality with a column leaves as many matches as that column has equal values.
  size_t matches = literals.rows.size();
  for (const Expression& equality : conditions.holding) {
    const auto* column = EquatedColumn(known, equality, literals.alias);
    if (column == nullptr) continue;
    matches = std::min(matches, MostEqual(literals, column->column));
    if (written.IsInner()) ForgetNull(known, *column);
  }
  combined.rows.rows_per_unit *= Integer(static_cast<unsigned long>(matches));
  TACIT_CHECK(CheckRowsOfOneUnit(known, combined.rows, rows.rows.rows_per_unit, written.position));
  const bool rows_preserved = PreservesRows(written, rows_first);
  if (rows_preserved) known.nullable.insert(literals.alias);
  // Without a condition a LEFT join keeps every row anyway: VALUES is never empty.
  const sql::JoinKind kind = conditions.on.empty() ? sql::JoinKind::kCross
                             : rows_preserved      ? sql::JoinKind::kLeft
                                                   : sql::JoinKind::kInner;
  combined.rows.source =
      SourceOf(kind, rows.rows.source, added.rows.source, std::move(conditions.on));
  return combined;
}

}  // namespace tacit::analysis
