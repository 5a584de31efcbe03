#include "gateway/probe.h"

#include <algorithm>
#include <map>

#include "analysis/types.h"
#include "sql/print/query.h"
#include "sql/walk.h"

namespace tacit::gateway {
namespace {

bool IsLiteral(const sql::Expression& expression, sql::LiteralKind kind, const std::string& text) {
  const auto* literal = sql::As<sql::Literal>(expression);
  return literal != nullptr && literal->kind == kind && literal->text == text;
}

// FALSE, 1 = 0, 1 <> 1, and a conjunction with one of them.
bool IsFalse(const sql::Expression& condition) {
  for (const sql::Expression& part : sql::SplitConjuncts(condition)) {
    if (IsLiteral(part, sql::LiteralKind::kBoolean, "false")) return true;
    const auto* comparison = sql::As<sql::Operator>(part);
    if (comparison == nullptr || comparison->arguments.size() != 2) continue;
    const auto* left = sql::As<sql::Literal>(comparison->arguments[0]);
    const auto* right = sql::As<sql::Literal>(comparison->arguments[1]);
    if (left == nullptr || right == nullptr || left->kind != sql::LiteralKind::kInteger ||
        right->kind != sql::LiteralKind::kInteger) {
      continue;
    }
    const bool equal = left->text == right->text;
    if (comparison->symbol == (equal ? "<>" : "=")) return true;
  }
  return false;
}

bool Aggregates(const sql::Select& select) {
  return select.having || !select.grouping_sets.empty() ||
         std::any_of(select.items.begin(), select.items.end(), [](const sql::SelectItem& item) {
           return sql::HasAggregate(item.expression);
         });
}

class VisibleTables final : public sql::KnownTables {
 public:
  VisibleTables(const policy::Policy& policy, const policy::Schema& schema) {
    for (const policy::Table& table : policy.tables) {
      const policy::SchemaTable* stored = schema.Find(table.name);
      if (stored == nullptr) continue;
      std::vector<sql::TypedColumn>& columns = tables_[policy::FoldedName(table.name)];
      for (const policy::SchemaColumn& column : stored->columns) {
        if (!table.is_public && table.IsHidden(column.name)) continue;
        sql::Type type = analysis::QueryTypeAbove(column.type);
        if (type.kind == sql::TypeKind::kUnknown) type.kind = sql::TypeKind::kText;
        columns.push_back({column.name, type});
      }
    }
  }
  const std::vector<sql::TypedColumn>* Find(const std::string& schema,
                                            const std::string& name) const override {
    if (!schema.empty() && schema != "public" && schema != "main") return nullptr;
    const auto found = tables_.find(policy::FoldedName(name));
    return found == tables_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::vector<sql::TypedColumn>> tables_;
};

}  // namespace

bool IsZeroRowProbe(const sql::Query& query) {
  if (IsLiteral(query->limit, sql::LiteralKind::kInteger, "0")) return true;
  const auto* select = sql::As<sql::Select>(query);
  return select != nullptr && select->where && !Aggregates(*select) && IsFalse(select->where);
}

bool IsAskingForRows(const sql::Query& query) {
  const auto* select = sql::As<sql::Select>(query);
  return select != nullptr && select->group_by.empty() && !Aggregates(*select);
}

Result<std::vector<plan::OutputColumn>> ShapeOfProbe(const sql::Query& query,
                                                     const policy::Policy& policy,
                                                     const policy::Schema& schema) {
  TACIT_TRY(const std::vector<sql::TypedColumn> columns,
            sql::ColumnsOf(query, VisibleTables(policy, schema)));
  std::vector<plan::OutputColumn> shape;
  for (const sql::TypedColumn& column : columns) {
    shape.push_back(
        {.name = column.name, .type = analysis::ValueTypeOf(column.type), .error = std::nullopt});
  }
  return shape;
}

}  // namespace tacit::gateway
