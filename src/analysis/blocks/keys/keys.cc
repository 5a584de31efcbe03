#include "analysis/blocks/keys/keys.h"

#include <algorithm>

#include "analysis/blocks/keys/cells.h"
#include "analysis/blocks/keys/public_keys.h"
#include "analysis/rules.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

using References = std::vector<sql::ColumnReference>;

bool ContainsReference(const std::vector<sql::ColumnReference>& all,
                       const sql::ColumnReference& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

size_t SizeOf(const Expression& expression) {
  size_t size = 0;
  sql::Visit(expression, [&](const Expression&) {
    ++size;
    return true;
  });
  return size;
}

// The columns that public keys are made of. Too many groups are refused at the key that makes them
// too many.
Result<References> PublicColumns(const std::vector<Key>& keys) {
  References columns;
  Integer combinations = 1;
  for (const Key& key : keys) {
    if (!key.outcomes.empty()) combinations *= ToInteger(key.outcomes.size());
    for (const KeySource& source : key.sources) {
      if (ContainsReference(columns, source.column)) continue;
      columns.push_back(source.column);
      combinations *= ToInteger(policy::CountOf(source.keys).value_or(1));
    }
    if (combinations > policy::kKeysMax) {
      return Refuse(rules::kTooManyKeys, key.expression->position,
                    "the public keys combine to more than a million groups",
                    "group by fewer columns");
    }
  }
  return columns;
}

// The sources of all public keys, each column once; NULL is on its list if it is for one of them.
std::vector<KeySource> SourcesOf(const std::vector<Key>& keys) {
  std::vector<KeySource> sources;
  for (const Key& key : keys) {
    for (const KeySource& source : key.sources) {
      const auto known = std::find_if(sources.begin(), sources.end(), [&](const KeySource& other) {
        return other.column == source.column;
      });
      if (known == sources.end())
        sources.push_back(source);
      else
        known->with_null = known->with_null || source.with_null;
    }
  }
  return sources;
}

// Why 200: each is a condition of the list, and a list that is not narrowed has more zeros only.
constexpr size_t kWrittenRowsMax = 200;

// proof: analysis/blocks/keys/keys.md#claim
// Rows that a query writes have their values together: of two columns of VALUES the combinations
// that stand in a row, not all that their values make.
void KeepWrittenRows(const Known& known, const RowSource& source, const References& public_columns,
                     std::vector<Expression>& filters) {
  if (const auto* join = As<RowJoin>(source)) {
    KeepWrittenRows(known, join->left, public_columns, filters);
    KeepWrittenRows(known, join->right, public_columns, filters);
    return;
  }
  const auto* literals = As<LiteralRows>(source);
  if (literals == nullptr || literals->rows.size() > kWrittenRowsMax ||
      known.nullable.contains(literals->alias)) {
    return;
  }
  References own;
  for (const sql::ColumnReference& column : public_columns) {
    if (column.table == literals->alias) own.push_back(column);
  }
  if (own.size() < 2) return;
  std::vector<Expression> rows;
  for (const std::vector<Expression>& row : literals->rows) {
    std::vector<Expression> same;
    for (const sql::ColumnReference& column : own) {
      const size_t i = std::stoul(column.column.substr(1)) - 1;
      const Expression value = sql::MakeExpression(sql::Cast{row[i], literals->types[i]});
      same.push_back(
          sql::MakeExpression(sql::IsDistinct{sql::MakeExpression(column), value, true}));
    }
    rows.push_back(sql::JoinConjuncts(std::move(same)));
  }
  filters.push_back(rows.size() == 1
                        ? rows[0]
                        : sql::MakeExpression(sql::Logical{sql::Connective::kOr, std::move(rows)}));
}

// The filter as it narrows the list, where it says something about whole cells; else absent.
Expression OnListed(Expression filter, const std::vector<KeySource>& sources) {
  for (const KeySource& source : sources) {
    const auto* calendar = std::get_if<policy::KeyCalendar>(&source.keys);
    if (calendar == nullptr || !filter) continue;
    filter = OnCells(filter, source.column, source.type, calendar->step);
  }
  return filter;
}

// Rows that lie in no cell count nowhere, also where the key has a value that a cell has too: the
// January of a year that is not listed.
void LeaveOutUnlisted(Block& block, const std::vector<KeySource>& sources) {
  for (const KeySource& source : sources) {
    const auto* calendar = std::get_if<policy::KeyCalendar>(&source.keys);
    if (calendar == nullptr) continue;
    block.rows.filters.push_back(LiesIn(source.column, source.type, *calendar, source.with_null));
  }
}

// Only a filter on key columns alone narrows the list: any other would tell which groups have
// somebody in them.
std::vector<Expression> FiltersOnKeys(const std::vector<Expression>& filters,
                                      const References& public_columns,
                                      const std::vector<KeySource>& sources) {
  std::vector<Expression> on_keys;
  for (const Expression& filter : filters) {
    const References columns = sql::ColumnsIn(filter);
    const bool keys_alone =
        !columns.empty() && std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
          return ContainsReference(public_columns, column);
        });
    if (!keys_alone) continue;
    if (Expression on_list = OnListed(filter, sources)) on_keys.push_back(std::move(on_list));
  }
  return on_keys;
}

}  // namespace

// proof: analysis/blocks/keys/keys.md#claim
Result<Done> AddKey(GroupedQuery& grouped, const Expression& written) {
  TACIT_TRY(Expression key, ArgumentOf(grouped, written, Use::kKey));
  if (sql::ColumnsIn(key).empty()) return Done{};
  const std::vector<Key>& keys = grouped.block.keys;
  const auto known =
      std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.expression == key; });
  if (sql::HasSubquery(written)) {
    grouped.written_keys.emplace_back(written, static_cast<size_t>(known - keys.begin()));
  }
  if (known != keys.end()) return Done{};
  TACIT_TRY(const Inferred inferred, Infer(grouped.known, key));
  // First of all what the query lists: every row has one of those, whatever the owner declared.
  std::vector<Expression> outcomes = OutcomesOf(key, grouped.block.rows.source);
  std::vector<KeySource> sources;
  if (outcomes.empty()) {
    TACIT_TRY(sources, PublicSourcesOf(grouped.known, key));
  }
  grouped.block.keys.push_back({.expression = std::move(key),
                                .type = inferred.type,
                                .sources = std::move(sources),
                                .outcomes = std::move(outcomes)});
  return Done{};
}

// proof: analysis/blocks/keys/keys.md#claim
Result<Done> FinishKeys(GroupedQuery& grouped) {
  Block& block = grouped.block;
  TACIT_TRY(const References public_columns, PublicColumns(block.keys));
  const std::vector<KeySource> sources = SourcesOf(block.keys);
  for (Key& key : block.keys) {
    for (KeySource& source : key.sources) {
      for (const KeySource& merged : sources) {
        if (merged.column == source.column) source.with_null = merged.with_null;
      }
    }
  }
  block.key_filters = FiltersOnKeys(block.rows.filters, public_columns, sources);
  KeepWrittenRows(grouped.known, block.rows.source, public_columns, block.key_filters);
  LeaveOutUnlisted(block, sources);
  // Larger keys are matched after the smaller ones inside them have been replaced.
  std::vector<size_t> by_size(block.keys.size());
  for (size_t i = 0; i < by_size.size(); ++i) by_size[i] = i;
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) {
    return SizeOf(block.keys[a].expression) < SizeOf(block.keys[b].expression);
  });
  for (const size_t i : by_size) {
    const Expression column =
        MakeExpression(sql::ColumnReference{kReleasedMarker, "k" + std::to_string(i + 1)});
    grouped.key_patterns.emplace_back(WithPatterns(block.keys[i].expression, grouped.key_patterns),
                                      column);
    for (const auto& [written, key] : grouped.written_keys) {
      if (key != i) continue;
      grouped.written_patterns.emplace_back(WithPatterns(written, grouped.written_patterns),
                                            column);
    }
  }
  return Done{};
}

}  // namespace tacit::analysis
