#include "base/mutant.h"
#include "engine/statement/printer.h"
#include "plan/tree/walk.h"

// Rows of the tree. Every operation that looks at more than one row is printed with the unit that
// its node carries: plan/unit_cap.md.
namespace tacit::engine::statement {

using tree::As;
using tree::Rows;

Result<std::string> Printer::Source(const Rows& rows) const {
  if (const auto* scan = As<tree::PublicScan>(rows)) return PublicScan(*scan);
  if (const auto* scan = As<tree::Scan>(rows)) return Scan(*scan, std::nullopt);
  if (const auto* cap = As<tree::RowCap>(rows)) return Scan(cap->scan, cap->rows);
  if (const auto* stored = As<tree::PreparedScan>(rows)) return Prepared(stored->scan);
  if (const auto* scan = As<tree::RowScan>(rows)) return RowScan(*scan);
  if (const auto* table = As<tree::WholeTable>(rows)) {
    return Quote(table->table) + " AS " + Quote(table->alias);
  }
  if (const auto* query = As<tree::PerPerson>(rows)) {
    TACIT_TRY(const std::string text, Query(*query));
    return "(" + text + ") AS " + Quote(query->unit.relation());
  }
  if (const auto* united = As<tree::Union>(rows)) {
    std::vector<std::string> parts;
    for (const tree::PerPerson& part : united->parts) {
      TACIT_TRY(parts.emplace_back(), Query(part));
    }
    return "(" + ListOf(parts, " UNION ALL ") + ") AS " + Quote(united->unit.relation());
  }
  if (const auto* literals = As<tree::Literals>(rows)) return LiteralsOf(*literals);
  return JoinOf(*As<tree::Join>(rows));
}

Result<std::string> Printer::JoinOf(const tree::Join& join) const {
  TACIT_TRY(const std::string left, Source(join.left));
  TACIT_TRY(std::string right, Source(join.right));
  if (As<tree::Join>(join.right)) right = "(" + right + ")";
  TACIT_TRY(const std::string on, On(join));
  if (on.empty()) return left + " CROSS JOIN " + right;
  const bool outer = join.kind == sql::JoinKind::kLeft;
  return left + (outer ? " LEFT JOIN " : " JOIN ") + right + " ON " + on;
}

// The carried units first: people never meet, whatever the query says.
// proof: plan/unit_cap.md#the-two-walls
Result<std::string> Printer::On(const tree::Join& join) const {
  std::vector<std::string> conditions;
  if (join.units() && !TACIT_MUTANT("join_without_units")) {
    const std::string equal = Carried(join.units()->first) + " = " + Carried(join.units()->second);
    conditions.push_back(join.units_last ? dialect_.ComparedLast(equal) : equal);
  }
  if (join.on) {
    TACIT_TRY(conditions.emplace_back(), Print(join.on));
    if (conditions.size() > 1) conditions.back() = "(" + conditions.back() + ")";
  }
  return ListOf(conditions, " AND ");
}

// proof: plan/unit_cap.md#the-two-walls
std::string Printer::Carried(const tree::Unit& unit) const {
  return Quote(unit.relation()) + "." + Quote(analysis::kUnitColumn);
}

Result<std::string> Printer::LiteralsOf(const tree::Literals& literals) const {
  std::vector<std::string> rows;
  for (const std::vector<tree::Typed>& row : literals.rows) {
    std::vector<std::string> values;
    for (const tree::Typed& value : row) {
      TACIT_TRY(values.emplace_back(), Print(value));
    }
    rows.push_back("(" + ListOf(values, ", ") + ")");
  }
  std::vector<std::string> names;
  for (size_t i = 1; i <= literals.columns; ++i) names.push_back(Quote("c" + std::to_string(i)));
  return "(VALUES " + ListOf(rows, ", ") + ") AS " + Quote(literals.alias) + "(" +
         ListOf(names, ", ") + ")";
}

Result<std::string> Printer::Query(const tree::PerPerson& query) const {
  TACIT_TRY(const std::string from, Source(query.input));
  std::vector<std::string> items;
  for (const tree::Typed& item : query.items) {
    TACIT_TRY(const std::string text, Print(item));
    items.push_back(text + " AS " + Quote("c" + std::to_string(items.size() + 1)));
  }
  const std::string unit = Carried(query.inner);
  items.push_back(unit + " AS " + Quote(analysis::kUnitColumn));
  TACIT_TRY(const std::string conditions, Conditions(query.filters));
  const std::string text = "SELECT " + ListOf(items, ", ") + " FROM " + from + conditions;
  if (!query.grouped) return text;
  std::vector<std::string> keys = {unit};  // whatever the keys are, no group mixes people
  for (const tree::Typed& key : query.group_by) {
    TACIT_TRY(keys.emplace_back(), Print(key));
  }
  return text + " GROUP BY " + ListOf(keys, ", ");
}

// It gives a statement every parameter, whatever its expressions use.
std::string Printer::Constants() const {
  std::vector<std::string> items;
  for (const sql::Type& type : names_.constants) {
    const size_t number = items.size() + 1;
    items.push_back(dialect_.Parameter(number, dialect_.Words().TypeName(type)) + " AS " +
                    Quote("v" + std::to_string(number)));
  }
  return "(SELECT " + ListOf(items, ", ") + ") AS " + Quote(analysis::kConstantTable);
}

Result<std::string> Printer::Project(const tree::Project& project) const {
  std::vector<std::string> items;
  for (const tree::ProjectedColumn& column : project.columns) {
    TACIT_TRY(const std::string text, Print(column));
    items.push_back(text + " AS " + column.name);
  }
  const auto of = [&](const std::string& relation, const char* column, const std::string& name) {
    items.push_back(Quote(relation) + "." + Quote(column) + " AS " + name);
  };
  if (const auto* unit = std::get_if<tree::Unit>(&project.person)) {
    of(unit->relation(), analysis::kUnitColumn, "u");
  } else if (const auto* number = std::get_if<tree::UnitNumber>(&project.person)) {
    of(number->relation, kNumberColumn, "u");
  } else if (const auto* row = std::get_if<tree::StoredRow>(&project.person)) {
    of(row->relation, kNumberColumn, "u");
  }
  for (size_t i = 0; i < project.ranks.size(); ++i) {
    of(project.ranks[i], kRankColumn, "o" + std::to_string(i + 1));
  }
  if (items.empty()) items.emplace_back("1 AS one");
  TACIT_TRY(std::string from, Source(project.input));
  if (!names_.constants.empty()) from += " CROSS JOIN " + Constants();
  TACIT_TRY(const std::string conditions, Conditions(project.filters));
  return "SELECT " + ListOf(items, ", ") + " FROM " + from + conditions;
}

namespace {

// All that the aggregates see of a row: k1, a1, ... Rows that are equal in it are the same to them.
std::vector<std::string> SeenColumns(const tree::Project& project) {
  std::vector<std::string> names;
  for (const tree::ProjectedColumn& column : project.columns) names.push_back(column.name);
  return names;
}

}  // namespace

// The ranks of the rows that a row was joined from, and then all else that tells two rows apart.
std::string Printer::OrderInUnit(const Rows& rows) const {
  const tree::Project& project = tree::ProjectOf(rows);
  std::vector<std::string> names;
  for (size_t i = 1; i <= project.ranks.size(); ++i) names.push_back("o" + std::to_string(i));
  for (const std::string& column : SeenColumns(project)) names.push_back(column);
  return ListOf(names, ", ");
}

Result<std::string> Printer::Select(const Rows& rows) const {
  if (const auto* project = As<tree::Project>(rows)) return Project(*project);
  if (const auto* cap = As<tree::UnitCap>(rows)) {
    TACIT_TRY(const std::string input, Select(cap->input));
    const std::string order = ListOf(SeenColumns(tree::ProjectOf(rows)), ", ");
    return dialect_.FirstRanked({.items = "*",
                                 .from = "(" + input + ") AS seen",
                                 .rank = "row_number() OVER (PARTITION BY u" +
                                         (order.empty() ? "" : " ORDER BY " + order) + ")",
                                 .rank_name = "",
                                 .rows = cap->rows});
  }
  const auto& places = *As<tree::GroupPlaces>(rows);
  if (places.keys.empty() && As<tree::Project>(places.input)) return Select(places.input);
  TACIT_TRY(const std::string from, From(places.input));
  if (places.keys.empty()) return "SELECT * FROM " + from;
  return dialect_.GroupPlaced(
      {.from = from, .keys = ListOf(places.keys, ", "), .order = OrderInUnit(rows)});
}

Result<std::string> Printer::From(const Rows& rows) const {
  if (const auto* listed = As<tree::Listed>(rows)) {
    TACIT_TRY(const std::string input, Select(listed->input));
    TACIT_TRY(const std::string keys, KeyList(*listed->keys));
    std::string on;
    for (const tree::PublicKey& key : listed->keys->keys) {
      const std::string name = "k" + std::to_string(key.place + 1);
      on += (on.empty() ? "rows." : " AND rows.") + name +
            (key.CanBeNull() ? " IS NOT DISTINCT FROM keys." : " = keys.") + name;
    }
    return dialect_.SemiJoin(input, keys, on);
  }
  const auto* project = As<tree::Project>(rows);
  if (project != nullptr && As<tree::WholeTable>(project->input)) {
    TACIT_TRY(const std::string table, Source(project->input));
    TACIT_TRY(const std::string conditions, Conditions(project->filters));
    return table + conditions;
  }
  TACIT_TRY(const std::string text, Select(rows));
  return "(" + text + ") AS rows";
}

}  // namespace tacit::engine::statement
