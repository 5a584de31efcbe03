#include "analysis/joins/join_computed.h"

#include <algorithm>

#include "analysis/expressions/check_use.h"
#include "analysis/expressions/columns.h"
#include "analysis/expressions/resolve.h"
#include "analysis/subqueries/constants.h"
#include "analysis/subqueries/membership.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// A query over one release, under the name and the columns by which FROM knows it.
struct Computed {
  sql::Query query;
  const Block* block = nullptr;
  std::string name;
  std::vector<std::string> columns;
};

const Block* BlockReadBy(const Known& known, const sql::Select& select) {
  const auto* table =
      select.from.size() == 1 ? sql::As<sql::TableReference>(select.from[0]) : nullptr;
  for (const Block& block : known.facts.blocks) {
    if (table != nullptr && table->name == block.name) return &block;
  }
  return nullptr;
}

std::optional<Computed> ComputedOf(const Known& known, const PublicItem& item,
                                   const Environment& environment) {
  Computed computed;
  sql::Alias alias;
  if (const auto* derived = sql::As<sql::DerivedTable>(item.relation)) {
    computed.query = derived->query;
    alias = derived->alias;
  } else if (const auto* common = sql::As<sql::CommonTableReference>(item.relation)) {
    const Environment* at = nullptr;
    const CommonTable* table = environment.FindCommonTable(common->name, &at);
    if (table == nullptr || !table->rewritten) return std::nullopt;
    computed.query = table->rewritten->query;
    alias.name = common->alias.name.empty() ? common->name : common->alias.name;
    alias.columns =
        common->alias.columns.empty() ? table->rewritten->columns : common->alias.columns;
  }
  const auto* select = sql::As<sql::Select>(computed.query);
  if (select == nullptr || !computed.query->with.empty()) return std::nullopt;
  computed.block = BlockReadBy(known, *select);
  if (computed.block == nullptr) return std::nullopt;
  computed.name = alias.name;
  for (size_t i = 0; i < select->items.size(); ++i) {
    computed.columns.push_back(i < alias.columns.size() ? alias.columns[i]
                                                        : sql::OutputName(select->items[i]));
  }
  return computed;
}

// Whatever the data hold: a release without keys has one row, and nothing leaves it out.
bool HasOneRow(const Computed& computed) {
  const auto& select = *sql::As<sql::Select>(computed.query);
  return computed.block->keys.empty() && !select.where && !select.having &&
         select.group_by.empty() && !computed.query->limit && !computed.query->offset;
}

// The output column that is the release's only key; none where there is no such.
std::optional<size_t> OnlyKey(const Computed& computed) {
  const auto& select = *sql::As<sql::Select>(computed.query);
  if (computed.block->keys.size() != 1) return std::nullopt;
  for (size_t i = 0; i < select.items.size(); ++i) {
    const auto* reference = BareColumn(select.items[i].expression);
    if (reference != nullptr && reference->table == computed.block->name &&
        reference->column == "k1") {
      return i;
    }
  }
  return std::nullopt;
}

sql::Query ColumnOfComputed(const Computed& computed, size_t i) {
  sql::Select select;
  select.items.push_back({MakeExpression(sql::ColumnReference{"q", computed.columns[i]}), "value"});
  select.from.push_back(MakeRelation(sql::DerivedTable{computed.query, {"q", computed.columns}},
                                     computed.query->position));
  return sql::Query(sql::QueryNode{.with = {},
                                   .body = std::move(select),
                                   .order_by = {},
                                   .limit = {},
                                   .offset = {},
                                   .position = computed.query->position});
}

// The other side of an equality with the key, written anywhere among the conjuncts; the rest stay.
std::optional<Expression> TakeEquated(const Computed& computed, size_t key,
                                      const ProtectedRows& rows,
                                      std::vector<Expression>& conjuncts) {
  const auto names_key = [&](const Expression& side) {
    const auto* reference = BareColumn(side);
    if (reference == nullptr || reference->column != computed.columns[key]) return false;
    if (!reference->table.empty()) return reference->table == computed.name;
    return std::none_of(rows.columns.begin(), rows.columns.end(), [&](const NamedColumn& column) {
      return column.name == reference->column;
    });
  };
  for (auto conjunct = conjuncts.begin(); conjunct != conjuncts.end(); ++conjunct) {
    const auto* equality = sql::As<sql::Operator>(*conjunct);
    if (equality == nullptr || equality->symbol != "=" || equality->arguments.size() != 2) continue;
    for (const size_t i : {0u, 1u}) {
      if (!names_key(equality->arguments[i]) || names_key(equality->arguments[1 - i])) continue;
      Expression other = equality->arguments[1 - i];
      conjuncts.erase(conjunct);
      return other;
    }
  }
  return std::nullopt;
}

Result<Done> FilterBy(Known& known, const std::vector<Expression>& conjuncts,
                      const WrittenJoin& written, ProtectedRows& combined) {
  for (const Expression& conjunct : conjuncts) {
    TACIT_TRY(Expression resolved,
              ResolveCondition(known, conjunct, combined, written.environment));
    combined.rows.filters.push_back(std::move(resolved));
  }
  return Done{};
}

}  // namespace

// proof: analysis/joins/joins.md#joins-how-many-rows-of-one-unit-come-out
Result<std::optional<ProtectedRows>> JoinComputed(Known& known, const WrittenJoin& written,
                                                  const ProtectedRows& rows,
                                                  const PublicItem& item) {
  using Joined = std::optional<ProtectedRows>;
  const std::optional<Computed> computed = ComputedOf(known, item, written.environment);
  const bool plain = written.join.using_columns.empty() && !written.join.natural;
  if (!computed || !written.IsInner() || !plain) return Joined();
  ProtectedRows combined = rows;
  std::vector<Expression> on = sql::SplitConjuncts(written.join.on);
  if (HasOneRow(*computed)) {
    for (size_t i = 0; i < computed->columns.size(); ++i) {
      TACIT_TRY(Expression value, AddConstant(known, ColumnOfComputed(*computed, i),
                                              written.environment, written.position));
      combined.columns.push_back({computed->name, computed->columns[i], std::move(value), false});
    }
    TACIT_CHECK(FilterBy(known, on, written, combined));
    return Joined(std::move(combined));
  }
  const std::optional<size_t> key = OnlyKey(*computed);
  if (!key) return Joined();
  std::optional<Expression> equated = TakeEquated(*computed, *key, rows, on);
  std::vector<Expression> where = written.where;
  if (!equated) equated = TakeEquated(*computed, *key, rows, where);
  if (!equated) return Joined();
  TACIT_TRY(const Expression operand,
            ResolveOverRows(known, *equated, rows, written.environment, Use::kProjection));
  TACIT_TRY(const Expression found, MembershipIn(known, operand, ColumnOfComputed(*computed, *key),
                                                 written.environment, written.position));
  TACIT_CHECK(CheckUse(known, found, Use::kFilter));
  combined.rows.filters.push_back(found);
  combined.columns.push_back({computed->name, computed->columns[*key], operand, false});
  TACIT_CHECK(FilterBy(known, on, written, combined));
  return Joined(std::move(combined));
}

}  // namespace tacit::analysis
