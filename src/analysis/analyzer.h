#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/facts.h"
#include "analysis/rules.h"
#include "base/result.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/bind.h"
#include "sql/tree.h"

// The inside of analysis, shared by its files and nobody else. A query is either public (it reads
// public tables and releases only) and stays SQL, rewritten; or it gives protected rows, which then
// are a Rows with named columns. The step from rows to a release is frontier.cc.
namespace tacit::analysis {

// A column that a name can mean inside a query over protected rows.
struct NamedColumn {
  std::string table;  // the qualifier under which it is known
  std::string name;
  Expression expression;  // over scans: t1.age
  bool merged = false;    // the right side's copy of a USING column: reached by its table only
};

struct ProtectedRows {
  Rows rows;
  std::vector<NamedColumn> columns;  // in the order of SELECT *
};

// What a query gives: SQL over releases, or protected rows.
using Source = std::variant<sql::Query, ProtectedRows>;

// What an item of FROM gives. A stored public table may be read on either side of the frontier.
struct PublicItem {
  sql::Relation relation;
  std::optional<sql::TableReference> stored;  // as written
};
using FromItem = std::variant<PublicItem, ProtectedRows>;

// A name that WITH declares. Protected rows are analysed anew at each use: each is its own scan.
struct CommonTable {
  const sql::CommonTable* written = nullptr;
  std::optional<sql::CommonTable> rewritten;  // absent: protected rows
};

// What names mean at one place; enclosing queries are outside.
struct Environment {
  const Environment* outer = nullptr;
  std::vector<CommonTable> with;
  const std::vector<NamedColumn>* rows = nullptr;  // the protected rows around a subquery

  const CommonTable* FindCommonTable(const std::string& name, const Environment** at) const;
};

inline bool IsConstant(const sql::ColumnReference& reference) {
  return reference.table == kConstantTable;
}

// Where an expression over protected rows stands: decides what it may use.
enum class Use { kFilter, kKey, kArgument, kUnitCount, kProjection };

// The columns of all scans, by the alias of the scan and the column's stored name.
using RowColumns = std::map<std::pair<std::string, std::string>, RowColumn>;

struct Inferred {
  sql::Type type;
  sql::Range range;
};

class Analyzer {
 public:
  Analyzer(const policy::Policy& policy, const policy::Schema& schema)
      : policy_(policy), schema_(schema) {}

  Result<Facts> Run(const sql::Query& query);

  // A column that is the unit's own value in every row.
  bool NamesUnit(const Expression& expression) const;

  // The column of a scan that a resolved reference means.
  const RowColumn& ColumnOf(const sql::ColumnReference& reference) const;

  // hidden_names.cc: whether a text about the query may name a column: not one that the owner
  // hides, unless the query names it itself.
  bool MayName(const RowColumn& column) const;

 private:
  friend class BlockBuilder;

  // query.cc
  Result<Source> AnalyzeQuery(const sql::Query& query, const Environment& outer);
  Result<Source> AnalyzeSetOperation(const sql::QueryNode& node, const sql::SetOperation& operation,
                                     const Environment& environment);
  Result<ProtectedRows> UniteRows(const ProtectedRows& left, const ProtectedRows& right,
                                  sql::Position position);  // union_all.cc
  Result<sql::Query> AnalyzeValues(const sql::QueryNode& node, const sql::Values& values,
                                   const Environment& environment);
  Result<Environment> DeclareCommonTables(const sql::QueryNode& node, const Environment& outer);

  // relation.cc
  // `where` is the enclosing query's condition: what it equates may make an inner join lawful.
  Result<FromItem> AnalyzeRelation(const sql::Relation& relation, const Environment& environment,
                                   const std::vector<Expression>& where);
  Result<FromItem> AnalyzeTable(const sql::TableReference& table, sql::Position position);
  Result<FromItem> AnalyzeCommonTable(const sql::CommonTableReference& reference,
                                      sql::Position position, const Environment& environment);
  Result<FromItem> AnalyzeDerived(const sql::DerivedTable& derived, sql::Position position,
                                  const Environment& environment);
  Result<FromItem> AnalyzeJoin(const sql::Join& join, sql::Position position,
                               const Environment& environment,
                               const std::vector<Expression>& where);

  // joins.cc
  Result<FromItem> JoinItems(const sql::Join& join, FromItem left, FromItem right,
                             const std::vector<Expression>& where, const Environment& environment,
                             sql::Position position);
  Result<ProtectedRows> JoinRows(const sql::Join& join, ProtectedRows left, ProtectedRows right,
                                 const std::vector<Expression>& where,
                                 const Environment& environment, sql::Position position);
  Result<ProtectedRows> JoinPublic(const sql::Join& join, ProtectedRows rows,
                                   const sql::TableReference& table, bool rows_first,
                                   const std::vector<Expression>& where,
                                   const Environment& environment, sql::Position position);
  Result<std::vector<Expression>> JoinConditions(const sql::Join& join, const ProtectedRows& left,
                                                 ProtectedRows& combined,
                                                 const Environment& environment,
                                                 sql::Position position);
  Result<Expression> ResolveCondition(const Expression& conjunct, const ProtectedRows& input,
                                      const Environment& environment);
  // Two columns that each name the unit, of different scans; of `left` and `right` where given.
  bool IsUnitEquality(const Expression& conjunct, const Rows* left, const Rows* right) const;
  // Their units are equal where they are the same person, and nowhere else.
  bool CompareAsUnits(const Rows& left, const Rows& right) const;
  // An equality of the units of rows that carry one unit: always true of them, so it is left out.
  bool HoldsByUnits(const Expression& conjunct) const;
  // What a join of both compares first, found by the equality of units that the query wrote.
  std::pair<Expression, Expression> CarriedUnits(const Expression& equality, const Rows& left,
                                                 const Rows& right) const;
  // One person's rows must not become so many that their number shows in time, memory or a failure.
  // `before`: the most that one of the joined parts had.
  Result<Done> CheckRowsOfOneUnit(const Rows& joined, const Integer& before,
                                  sql::Position position) const;
  const sql::ColumnReference* EquatedColumn(const Expression& conjunct,
                                            const std::string& alias) const;
  ProtectedRows ScanPublicTable(const sql::TableReference& reference);
  Error OffTheUnit(const std::vector<Expression>& conditions, const ProtectedRows& left,
                   const ProtectedRows& right, sql::Position position) const;
  // "SELECT count(*) FROM rides a JOIN members b ON a.member_id = b.id", or nothing.
  std::string ExampleJoin(const ProtectedRows& left, const ProtectedRows& right) const;
  // "SELECT count(*) FROM rides": over one protected table of these rows.
  static std::string ExampleCount(const Rows& rows);

  // literals.cc: VALUES beside protected rows.
  std::optional<sql::DerivedTable> LiteralsOf(const PublicItem& item,
                                              const Environment& environment) const;
  Result<ProtectedRows> ScanLiterals(const sql::DerivedTable& table, sql::Position position);
  Result<ProtectedRows> JoinLiterals(const sql::Join& join, ProtectedRows rows,
                                     const sql::DerivedTable& table, bool rows_first,
                                     const std::vector<Expression>& where,
                                     const Environment& environment, sql::Position position);

  // scan.cc
  ValueType UnitTypeOf(const policy::UnitPath& path, const policy::SchemaTable& stored) const;
  Result<ProtectedRows> ScanTable(const policy::Table& table, const std::string& qualifier,
                                  sql::Position position);

  // select.cc
  Result<Source> AnalyzeSelect(const sql::QueryNode& node, const sql::Select& select,
                               const Environment& environment);
  // The items of FROM, joined if one of them is protected.
  Result<std::variant<std::vector<FromItem>, ProtectedRows>> AnalyzeFrom(
      const sql::Select& select, const Environment& environment);
  Result<sql::Query> RewritePublicSelect(const sql::QueryNode& node, sql::Select select,
                                         std::vector<FromItem> from,
                                         const Environment& environment);
  Result<ProtectedRows> ProjectRows(const sql::QueryNode& node, const sql::Select& select,
                                    const ProtectedRows& input, const Environment& environment);
  Result<Done> FilterRows(const Expression& where, ProtectedRows& input,
                          const Environment& environment);

  // first_rows.cc: the first rows of each unit.
  void NarrowByRowNumber(Rows& rows) const;
  Result<ProtectedRows> FirstOfUnit(const sql::QueryNode& node, const sql::Select& select,
                                    const ProtectedRows& input, const Environment& environment);

  // unit_subquery.cc: EXISTS, IN and scalar subqueries over rows of the same unit become columns
  // of `input`; what is none of these stays as it is.
  Result<sql::Select> AttachUnitSubqueries(const sql::Select& select, ProtectedRows& input,
                                           const Environment& environment);
  Result<std::optional<Expression>> TryAttach(const Expression& node, ProtectedRows& input,
                                              const Environment& environment);
  Result<std::optional<Expression>> TryAttachIn(const sql::InQuery& in, ProtectedRows& input,
                                                const Environment& environment,
                                                sql::Position position);
  Result<std::optional<Expression>> TryAttachSelect(const sql::Query& query, bool exists,
                                                    ProtectedRows& input,
                                                    const Environment& environment,
                                                    sql::Position position);
  struct UnitEqualities;
  Result<UnitEqualities> SplitCorrelation(const sql::Select& select, const ProtectedRows& inner,
                                          const ProtectedRows& outer, const Environment& inside);
  Result<Expression> AttachGroups(const Rows& inner, const UnitEqualities& equalities,
                                  const Expression& value, ProtectedRows& input);

  // public_expression.cc: subqueries analysed and rewritten, everything else as it is.
  Result<Expression> RewritePublic(const Expression& expression, const Environment& environment);
  Result<Done> RewritePublicOrder(std::vector<sql::OrderItem>& items,
                                  const Environment& environment);
  Result<sql::Query> AnalyzeSubquery(const sql::Query& query, sql::Position position,
                                     const Environment& environment);

  // resolve.cc: names replaced by what they mean over the scans, subqueries by constants; checked
  // for the place where it stands.
  Result<Expression> ResolveOverRows(const Expression& expression, const ProtectedRows& input,
                                     const Environment& environment, Use use);

  // constants.cc: a subquery over releases and public tables, used below the frontier.
  Result<Expression> ConstantOf(const Expression& subquery, const Environment& environment);
  Result<Expression> AddConstant(sql::Query query, const Environment& environment,
                                 sql::Position position);
  // membership.cc: IN with such a subquery.
  Result<Expression> MembershipOf(const sql::InQuery& in, const Environment& environment,
                                  sql::Position position);
  Result<sql::Query> WithCommonTables(const sql::Query& query, const Environment& environment,
                                      sql::Position position) const;
  Result<sql::Type> TypeOfConstant(const sql::Query& query) const;
  std::optional<Error> OuterColumnIn(const sql::Query& query, const Environment& environment) const;
  Result<Done> CheckUse(const Expression& expression, Use use) const;
  Result<Done> CheckNotHidden(const Expression& expression) const;
  Error UnknownColumn(const sql::ColumnReference& reference, sql::Position position,
                      const std::vector<NamedColumn>& columns) const;

  // hidden_names.cc
  bool Writes(const std::string& column) const;
  bool MayName(const std::string& table, const std::string& column) const;
  Error HiddenColumn(const RowColumn& column, sql::Position position) const;
  // The refusal of a column whose stored type has no rules.
  Error OpaqueColumn(const RowColumn& column, sql::Position position) const;
  // What is wrong with the columns that lead from a row to its unit.
  Error WrongPath(const policy::Table& table, const policy::UnitPath& path, Error error) const;

  bool UsesHidden(const Expression& expression) const;
  bool UsesUnit(const Expression& expression) const;

  // unit_query.cc: what stays inside one person.
  Result<std::optional<ProtectedRows>> TryUnitGroups(const sql::QueryNode& node,
                                                     const sql::Select& select,
                                                     const ProtectedRows& input,
                                                     const Environment& environment);
  Result<ProtectedRows> MakeUnitQuery(const ProtectedRows& input,
                                      const std::vector<sql::SelectItem>& items,
                                      std::vector<Expression> group_by, bool grouped,
                                      const Environment& environment);
  Result<Expression> ResolveInsideUnit(const Expression& expression, const ProtectedRows& input,
                                       const Environment& environment);
  Result<Inferred> InferInsideUnit(const Expression& item, const Rows& rows) const;
  Expression WithoutUnits(const Expression& item) const;
  Result<Done> CheckWindows(const Expression& item, const Rows& rows) const;
  // Aggregates only, of those that have a rule inside one person's rows.
  Result<Done> CheckInsideUnit(const Expression& item) const;

  // frontier.cc
  Result<sql::Query> AnalyzeFrontier(const sql::QueryNode& node, const sql::Select& select,
                                     const ProtectedRows& input, const Environment& environment);
  // Adds the block, or finds an equal one and pays for nothing twice; the released columns' names
  // and the table's name go into `post`.
  size_t AddBlock(Block block, const std::vector<Expression*>& post);
  void Localize(Block& block) const;
  void Merge(const Block& from, Block& into,
             std::vector<std::pair<std::string, std::string>>& renamed) const;

  // infer.cc: the expression with its types settled.
  Result<sql::Bound> BindOverRows(const Expression& expression) const;
  // The type of a resolved expression, and where its values lie when `filters` hold.
  // Whatever has no rule is refused by name.
  Result<Inferred> Infer(const Expression& expression,
                         const std::vector<Expression>& filters = {}) const;

  const policy::Policy& policy_;
  const policy::Schema& schema_;
  RowColumns columns_;
  std::vector<Constant> constants_;  // v1 is the first, until a block takes those that it uses
  std::set<std::string> nullable_;   // scans on the side of an outer join that may be missing
  int scans_ = 0;
  size_t written_bytes_ = 0;  // of the whole query, literals and parameters included
  sql::Query written_;
  Facts facts_;
};

// nearest_name.cc: "did you mean ...?", or nothing when no name is near.
std::string NearestNameHint(const std::string& name, const std::vector<std::string>& candidates);

// frontier.cc: SELECT * and t.* written out.
std::vector<sql::SelectItem> ExpandStars(const sql::Select& select, const ProtectedRows& input);

// The column of the scans that an expression is, bare; nothing for anything else.
const sql::ColumnReference* BareColumn(const Expression& expression);

}  // namespace tacit::analysis
