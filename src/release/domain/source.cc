#include "release/domain/source.h"

#include "sql/parse.h"
#include "sql/print/quote.h"

namespace tacit::release {
namespace {

using sql::MakeExpression;

constexpr char kParent[] = "tacit_parent";
constexpr char kChild[] = "tacit_child";
constexpr char kCount[] = "tacit_children";

sql::Expression ColumnOf(const std::string& table, const std::string& column) {
  return MakeExpression(sql::ColumnReference{table, policy::FoldedName(column)});
}

std::string Quoted(const std::string& name) {
  return sql::QuoteIdentifier(policy::FoldedName(name));
}

Result<sql::Relation> ReadFrom(const std::string& from) {
  TACIT_TRY(const sql::Statement statement, sql::Parse("SELECT 1 FROM " + from));
  return sql::As<sql::Select>(statement.query)->from.at(0);
}

std::string OnKey(const std::string& key, const std::string& via) {
  return std::string(" ON ") + kParent + "." + Quoted(key) + " = " + kChild + "." + Quoted(via);
}

}  // namespace

Source SourceOf(const policy::Table& table, const std::vector<Attribute>& attributes) {
  Source source{.from = sql::MakeRelation(sql::TableReference{"", table.name, {}}), .columns = {}};
  for (const Attribute& attribute : attributes) {
    source.columns.push_back(ColumnOf("", attribute.name));
  }
  return source;
}

Result<Family> FamilyOf(const policy::Policy& policy, const std::string& parent,
                        const std::string& child) {
  Family family{.parent = policy.Find(parent), .child = policy.Find(child), .key = {}, .via = {}};
  if (family.child == nullptr || family.child->is_public) {
    return InvalidArgument("the policy protects no table " + child,
                           "--children names a table whose rows belong to rows of the other");
  }
  const auto* reached = std::get_if<policy::UnitIsReached>(&family.child->unit);
  if (family.parent == nullptr || reached == nullptr ||
      !policy::SameName(reached->to_table, family.parent->name)) {
    return InvalidArgument("the rows of " + child + " do not belong to rows of " + parent,
                           "the policy says it by unit: {via: COLUMN, to: " + parent + "}");
  }
  family.key = reached->to_column;
  family.via = reached->via;
  return family;
}

Attribute ChildrenAttribute(const Family& family) {
  GridCells cells{.step = 1, .edges = {}};
  const int64_t most = std::min<int64_t>(family.child->rows_per_unit, kGridCellsMax - 1);
  for (int64_t i = 0; i <= most + 1; ++i) cells.edges.push_back(i);
  return {.name = family.child->name, .type = kBigintType, .cells = std::move(cells)};
}

Result<Source> CountedSource(const Counting& counting, JoinedBy joined,
                             const std::vector<Attribute>& attributes) {
  const std::string via = Quoted(counting.via);
  Source source;
  TACIT_TRY(source.from,
            ReadFrom(Quoted(counting.rows) + " AS " + kParent +
                     (joined == JoinedBy::kLeft ? " LEFT JOIN" : " JOIN") + " (SELECT " + via +
                     ", count(*) AS " + kCount + " FROM " + Quoted(counting.counted) +
                     " GROUP BY " + via + ") AS " + kChild + OnKey(counting.key, counting.via)));
  for (size_t a = 0; a + 1 < attributes.size(); ++a) {
    source.columns.push_back(ColumnOf(kParent, attributes[a].name));
  }
  const sql::Expression none = MakeExpression(sql::Literal{sql::LiteralKind::kInteger, "0", {}});
  source.columns.push_back(MakeExpression(sql::Call{"coalesce", {ColumnOf(kChild, kCount), none}}));
  return source;
}

Result<Source> ParentSource(const Family& family, const std::vector<Attribute>& attributes) {
  return CountedSource({.rows = family.parent->name,
                        .key = family.key,
                        .counted = family.child->name,
                        .via = family.via},
                       JoinedBy::kLeft, attributes);
}

Result<Source> ChildSource(const Family& family, const std::vector<Attribute>& attributes,
                           size_t of_parent) {
  Source source;
  TACIT_TRY(source.from, ReadFrom(Quoted(family.child->name) + " AS " + kChild + " JOIN " +
                                  Quoted(family.parent->name) + " AS " + kParent +
                                  OnKey(family.key, family.via)));
  for (size_t a = 0; a < attributes.size(); ++a) {
    source.columns.push_back(ColumnOf(a < of_parent ? kParent : kChild, attributes[a].name));
  }
  return source;
}

}  // namespace tacit::release
