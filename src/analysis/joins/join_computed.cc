#include "analysis/joins/join_computed.h"

#include <algorithm>

#include "analysis/expressions/check_use.h"
#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/expressions/resolve.h"
#include "analysis/subqueries/constants.h"
#include "analysis/subqueries/membership.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// A query over one release, or an aggregate of all that it reads, under the name and the columns by
// which FROM knows it.
struct Computed {
  sql::Query query;
  Block block;  // as it was: others may come meanwhile
  bool aggregates_all = false;
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

// An aggregate without groups gives one row, whatever released or public rows it reads.
bool AggregatesAll(const sql::Select& select) {
  return select.group_by.empty() && select.grouping_sets.empty() && !select.having &&
         std::any_of(select.items.begin(), select.items.end(), [](const sql::SelectItem& item) {
           return sql::HasAggregate(item.expression);
         });
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
  const Block* read = BlockReadBy(known, *select);
  computed.aggregates_all = AggregatesAll(*select);
  if (read == nullptr && !computed.aggregates_all) return std::nullopt;
  if (read != nullptr) computed.block = *read;
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
  if (computed.query->limit || computed.query->offset) return false;
  return computed.aggregates_all || (computed.block.keys.empty() && !select.where &&
                                     !select.having && select.group_by.empty());
}

// The output columns that are the release's keys, in their order; nothing where one is not shown.
std::optional<std::vector<size_t>> KeysShown(const Computed& computed) {
  const auto& select = *sql::As<sql::Select>(computed.query);
  std::vector<size_t> shown;
  for (size_t key = 0; key < computed.block.keys.size(); ++key) {
    const sql::ColumnReference wanted{computed.block.name, "k" + std::to_string(key + 1)};
    const auto found =
        std::find_if(select.items.begin(), select.items.end(), [&](const sql::SelectItem& item) {
          const auto* reference = BareColumn(item.expression);
          return reference != nullptr && *reference == wanted;
        });
    if (found == select.items.end()) return std::nullopt;
    shown.push_back(static_cast<size_t>(found - select.items.begin()));
  }
  return shown;
}

// One value of each row of the result, over its columns q.name.
sql::Query ValueOfComputed(const Computed& computed, Expression value) {
  sql::Select select;
  select.items.push_back({std::move(value), "value"});
  select.from.push_back(MakeRelation(sql::DerivedTable{computed.query, {"q", computed.columns}},
                                     computed.query->position));
  return sql::Query(sql::QueryNode{.with = {},
                                   .body = std::move(select),
                                   .order_by = {},
                                   .limit = {},
                                   .offset = {},
                                   .position = computed.query->position});
}

Expression ColumnOfResult(const Computed& computed, size_t i) {
  return MakeExpression(sql::ColumnReference{"q", computed.columns[i]});
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

Result<std::vector<Expression>> Resolved(Known& known, const std::vector<Expression>& conjuncts,
                                         const WrittenJoin& written,
                                         const ProtectedRows& combined) {
  std::vector<Expression> resolved;
  for (const Expression& conjunct : conjuncts) {
    TACIT_TRY(resolved.emplace_back(),
              ResolveCondition(known, conjunct, combined, written.environment));
  }
  return resolved;
}

// One value as it is; several as one text, in which none runs into the next. NULL if one is.
Expression JoinedText(const std::vector<Expression>& values) {
  if (values.size() == 1) return values.front();
  const sql::Type text{.kind = sql::TypeKind::kText, .precision = 0, .scale = 0};
  const auto literal = [](const char* written) {
    return MakeExpression(sql::Literal{sql::LiteralKind::kString, written, {}});
  };
  Expression joined;
  for (const Expression& value : values) {
    Expression part = MakeExpression(sql::Cast{value, text});
    part = MakeExpression(sql::Call{"replace", {part, literal("^"), literal("^0")}});
    part = MakeExpression(sql::Call{"replace", {part, literal("/"), literal("^1")}});
    if (!joined) {
      joined = part;
      continue;
    }
    joined = MakeExpression(sql::Operator{"||", {joined, literal("/")}});
    joined = MakeExpression(sql::Operator{"||", {joined, part}});
  }
  return joined;
}

// Values of these types are one text if they are equal, and only then.
bool HaveOneText(const Known& known, const Computed& computed,
                 const std::vector<Expression>& operands) {
  for (size_t i = 0; i < operands.size(); ++i) {
    const Result<sql::Bound> bound = BindOverRows(known, operands[i]);
    const sql::Type& mine = computed.block.keys[i].type;
    const bool written = mine.IsInteger() || mine.kind == sql::TypeKind::kText ||
                         mine.kind == sql::TypeKind::kDate || mine.kind == sql::TypeKind::kBoolean;
    const bool alike =
        bound.ok() && ((*bound)->type == mine || ((*bound)->type.IsInteger() && mine.IsInteger()));
    if (!written || !alike) return false;
  }
  return true;
}

// USING (k) is an equality with the key.
std::optional<std::vector<Expression>> ConditionsOn(const Computed& computed,
                                                    const WrittenJoin& written) {
  std::vector<Expression> on = sql::SplitConjuncts(written.join.on);
  if (written.join.natural || written.join.using_columns.size() > 1) return std::nullopt;
  for (const std::string& name : written.join.using_columns) {
    const Expression mine = MakeExpression(sql::ColumnReference{computed.name, name});
    const Expression theirs = MakeExpression(sql::ColumnReference{"", name});
    on.push_back(MakeExpression(sql::Operator{"=", {mine, theirs}}, written.position));
  }
  return on;
}

// The rows that the conditions leave. Where the protected side is kept, all of them stay, and what
// the result has beside a row that it does not meet is NULL.
void PutConditions(std::vector<Expression> conditions, bool keeps_rows, size_t first,
                   ProtectedRows& combined) {
  if (!keeps_rows) {
    for (Expression& condition : conditions) combined.rows.filters.push_back(std::move(condition));
    return;
  }
  const Expression meets = sql::JoinConjuncts(std::move(conditions));
  for (size_t i = first; meets && i < combined.columns.size(); ++i) {
    sql::Case choice;
    choice.branches.push_back({meets, combined.columns[i].expression});
    combined.columns[i].expression = MakeExpression(std::move(choice));
  }
}

}  // namespace

// proof: analysis/joins/joins.md#joins-how-many-rows-of-one-unit-come-out
Result<std::optional<ProtectedRows>> JoinComputed(Known& known, const WrittenJoin& written,
                                                  const ProtectedRows& rows, const PublicItem& item,
                                                  bool rows_first) {
  using Joined = std::optional<ProtectedRows>;
  const std::optional<Computed> computed = ComputedOf(known, item, written.environment);
  if (!computed || written.join.kind == sql::JoinKind::kFull) return Joined();
  std::optional<std::vector<Expression>> on = ConditionsOn(*computed, written);
  if (!on) return Joined();
  const bool keeps_rows =
      written.join.kind == (rows_first ? sql::JoinKind::kLeft : sql::JoinKind::kRight);
  ProtectedRows combined = rows;
  combined.rows.public_preserved =
      rows.rows.public_preserved || (!written.IsInner() && !keeps_rows);
  const size_t first = rows.columns.size();
  if (HasOneRow(*computed) && written.join.using_columns.empty()) {
    for (size_t i = 0; i < computed->columns.size(); ++i) {
      TACIT_TRY(Expression value,
                AddConstant(known, ValueOfComputed(*computed, ColumnOfResult(*computed, i)),
                            written.environment, written.position));
      combined.columns.push_back({computed->name, computed->columns[i], std::move(value), false});
    }
    TACIT_TRY(std::vector<Expression> conditions, Resolved(known, *on, written, combined));
    PutConditions(std::move(conditions), keeps_rows, first, combined);
    return Joined(std::move(combined));
  }
  const std::optional<std::vector<size_t>> keys = KeysShown(*computed);
  if (!keys || keys->empty()) return Joined();
  std::vector<Expression> operands;
  std::vector<Expression> columns;
  std::vector<Expression> where = written.where;
  for (const size_t key : *keys) {
    std::optional<Expression> equated = TakeEquated(*computed, key, rows, *on);
    if (!equated && written.IsInner()) equated = TakeEquated(*computed, key, rows, where);
    if (!equated) return Joined();
    TACIT_TRY(Expression operand,
              ResolveOverRows(known, *equated, rows, written.environment, Use::kProjection));
    const bool merged = !written.join.using_columns.empty();
    combined.columns.push_back({computed->name, computed->columns[key], operand, merged});
    operands.push_back(std::move(operand));
    columns.push_back(ColumnOfResult(*computed, key));
  }
  if (operands.size() > 1 && !HaveOneText(known, *computed, operands)) return Joined();
  Membership membership{.operands = operands,
                        .joined = JoinedText(operands),
                        .condition = {},
                        .values = ValueOfComputed(*computed, JoinedText(columns))};
  TACIT_TRY(membership.condition, MembershipIn(known, membership.joined, membership.values,
                                               written.environment, written.position));
  TACIT_CHECK(CheckUse(known, membership.condition, Use::kFilter));
  TACIT_TRY(const Constant closed,
            CloseQuery(known, membership.values, written.environment, written.position));
  membership.values = closed.query;
  TACIT_TRY(std::vector<Expression> conditions, Resolved(known, *on, written, combined));
  conditions.insert(conditions.begin(), membership.condition);
  known.memberships.push_back(std::move(membership));
  PutConditions(std::move(conditions), keeps_rows, first, combined);
  return Joined(std::move(combined));
}

}  // namespace tacit::analysis
