#include "analysis/blocks/levels.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/blocks/add_block.h"
#include "analysis/blocks/keys/keys.h"
#include "analysis/blocks/keys/listed_groups.h"
#include "analysis/blocks/over_released.h"
#include "analysis/rules.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Levels that are released each by itself, one under the other.
constexpr char kApart[] = "tacit_levels";

using Places = std::vector<Expression*>;

std::string KeyName(size_t i) { return "k" + std::to_string(i + 1); }

Expression Number(size_t value) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kInteger, std::to_string(value), {}});
}

Expression Reference(const std::string& table, const std::string& column) {
  return MakeExpression(sql::ColumnReference{table, column});
}

// References to a table that `change` gives another one to.
template <class Change>
void Redirect(const Places& places, const std::string& table, Change change) {
  for (Expression* place : places) {
    *place = sql::Transform(*place, [&](const Expression& node) -> Expression {
      const auto* reference = sql::As<sql::ColumnReference>(node);
      if (reference == nullptr || reference->table != table) return node;
      return MakeExpression(sql::ColumnReference{change(reference->column), reference->column},
                            node->position);
    });
  }
}

std::optional<size_t> FindKey(GroupedQuery& grouped, const Expression& written) {
  const Result<Expression> key = ArgumentOf(grouped, written, Use::kKey);
  if (!key.ok()) return std::nullopt;
  const std::vector<Key>& keys = grouped.block.keys;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].expression == *key) return i;
  }
  return std::nullopt;
}

// The queries that stand for aggregates take the place of their columns in the released table.
void PutValueCounts(const GroupedQuery& grouped, const std::string& table, const Places& places) {
  for (Expression* place : places) {
    *place = sql::Transform(*place, [&](const Expression& node) -> Expression {
      for (size_t i = 0; i < grouped.value_counts.size(); ++i) {
        if (node == Reference(table, "q" + std::to_string(i + 1))) return grouped.value_counts[i];
      }
      return node;
    });
  }
}

sql::Relation ReadBlock(GroupedQuery& grouped, Block block, const Places& places,
                        sql::Position position) {
  Known& known = grouped.known;
  const size_t index = AddBlock(known, std::move(block), places);
  const std::string& name = known.facts.blocks[index].name;
  PutValueCounts(grouped, name, places);
  return MakeRelation(sql::TableReference{"", name, {}}, position);
}

// One level of columns that do not add up, with NULL for the keys that it does not group by.
Result<sql::Query> LevelApart(GroupedQuery& grouped, size_t number,
                              const std::vector<std::string>& columns, sql::Position position) {
  GroupedQuery level = Group(grouped.known, grouped.input, grouped.environment);
  const std::vector<size_t>& set = grouped.levels[number];
  for (const size_t key : set) TACIT_CHECK(AddKey(level, grouped.level_keys[key]));
  TACIT_CHECK(FinishKeys(level));
  sql::Select select;
  for (size_t i = 0; i < grouped.block.keys.size(); ++i) {
    const auto in_set = std::find(set.begin(), set.end(), i);
    Expression key = MakeExpression(
        sql::Cast{MakeExpression(sql::Literal{}, position), grouped.block.keys[i].type}, position);
    if (in_set != set.end()) {
      key = Reference(kReleasedMarker, KeyName(static_cast<size_t>(in_set - set.begin())));
    }
    select.items.push_back({std::move(key), KeyName(i)});
  }
  for (const auto& [call, index] : grouped.known_calls) {
    const std::string& name = grouped.block.released[index].name;
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) continue;
    TACIT_TRY(Expression value, OverReleased(level, MakeExpression(call, position)));
    select.items.push_back({std::move(value), name});
  }
  select.items.push_back({Number(number), kLevelColumn});
  Places places;
  for (sql::SelectItem& item : select.items) places.push_back(&item.expression);
  select.from.push_back(ReadBlock(level, level.block, places, position));
  sql::QueryNode node;
  node.body = std::move(select);
  node.position = position;
  return sql::Query(std::move(node));
}

// Which levels are of public keys alone, beside others that are not.
std::vector<size_t> PublicLevels(const GroupedQuery& grouped) {
  std::vector<size_t> levels;
  for (size_t i = 0; i < grouped.levels.size(); ++i) {
    const std::vector<size_t>& set = grouped.levels[i];
    const bool is_public = std::all_of(
        set.begin(), set.end(), [&](size_t key) { return grouped.block.keys[key].IsPublic(); });
    if (is_public) levels.push_back(i);
  }
  return levels.size() < grouped.levels.size() ? levels : std::vector<size_t>{};
}

// Those levels as if they were asked without the others: they agree with each other.
Result<sql::Query> LevelsTogether(GroupedQuery& grouped, const std::vector<size_t>& numbers,
                                  sql::Position position) {
  GroupedQuery together = Group(grouped.known, grouped.input, grouped.environment);
  std::vector<size_t> keys;
  std::vector<Expression> written;
  std::vector<std::vector<size_t>> sets;
  for (const size_t number : numbers) {
    std::vector<size_t>& set = sets.emplace_back();
    for (const size_t key : grouped.levels[number]) {
      auto place = std::find(keys.begin(), keys.end(), key);
      if (place == keys.end()) {
        keys.push_back(key);
        written.push_back(grouped.level_keys[key]);
        TACIT_CHECK(AddKey(together, grouped.level_keys[key]));
        place = keys.end() - 1;
      }
      set.push_back(static_cast<size_t>(place - keys.begin()));
    }
  }
  TACIT_CHECK(FinishKeys(together));
  TACIT_CHECK(SetLevels(together, written, sets));
  sql::Select select;
  for (size_t i = 0; i < grouped.block.keys.size(); ++i) {
    const auto place = std::find(keys.begin(), keys.end(), i);
    Expression key = MakeExpression(
        sql::Cast{MakeExpression(sql::Literal{}, position), grouped.block.keys[i].type}, position);
    if (place != keys.end()) {
      key = Reference(kReleasedMarker, KeyName(static_cast<size_t>(place - keys.begin())));
    }
    select.items.push_back({std::move(key), KeyName(i)});
  }
  for (const auto& [call, index] : grouped.known_calls) {
    TACIT_TRY(Expression value, OverReleased(together, MakeExpression(call, position)));
    select.items.push_back({std::move(value), grouped.block.released[index].name});
  }
  sql::Case number_of;
  number_of.operand = Reference(kReleasedMarker, kLevelColumn);
  for (size_t i = 0; i < numbers.size(); ++i) {
    number_of.branches.push_back({Number(i), Number(numbers[i])});
  }
  select.items.push_back({MakeExpression(std::move(number_of), position), kLevelColumn});
  Places places;
  for (sql::SelectItem& item : select.items) places.push_back(&item.expression);
  TACIT_TRY(sql::Relation from, AddReleases(together, places, position));
  select.from.push_back(std::move(from));
  sql::QueryNode node;
  node.body = std::move(select);
  node.position = position;
  return sql::Query(std::move(node));
}

Result<sql::Relation> LevelsApart(GroupedQuery& grouped, const std::vector<std::string>& columns,
                                  sql::Position position) {
  std::vector<size_t> together = PublicLevels(grouped);
  if (together.size() < 2) together.clear();
  sql::Query all;
  for (size_t i = 0; i < grouped.levels.size(); ++i) {
    const auto among = std::find(together.begin(), together.end(), i);
    if (among != together.end() && among != together.begin()) continue;
    TACIT_TRY(sql::Query level, among != together.end()
                                    ? LevelsTogether(grouped, together, position)
                                    : LevelApart(grouped, i, columns, position));
    if (!all) {
      all = std::move(level);
      continue;
    }
    sql::QueryNode node;
    node.body = sql::SetOperation{sql::SetOperator::kUnion, true, all, std::move(level)};
    node.position = position;
    all = sql::Query(std::move(node));
  }
  return MakeRelation(sql::DerivedTable{std::move(all), {kApart, {}}}, position);
}

// The name of the levels' table; `keys` are what the block calls its keys now.
const LevelTable& LevelsOf(GroupedQuery& grouped, const std::string& block_name,
                           const std::vector<Expression>& keys) {
  Facts& facts = grouped.known.facts;
  LevelTable table{.name = block_name, .block = 0, .sets = {}};
  while (facts.blocks[table.block].name != block_name) ++table.block;
  for (const std::vector<size_t>& level : grouped.levels) {
    std::vector<size_t> set;
    for (const size_t key : level) {
      set.push_back(std::stoul(sql::As<sql::ColumnReference>(keys[key])->column.substr(1)) - 1);
    }
    std::sort(set.begin(), set.end());
    std::string list;
    for (const size_t key : set) list += (list.empty() ? "" : ", ") + KeyName(key);
    table.name += " (" + list + ")";
    table.sets.push_back(std::move(set));
  }
  for (const LevelTable& known : facts.levels) {
    if (known.name == table.name) return known;
  }
  return facts.levels.emplace_back(std::move(table));
}

// What adds up, from one release by all keys.
sql::Relation LevelsSummed(GroupedQuery& grouped, const std::vector<std::string>& apart,
                           Places places, std::vector<Expression>& keys, sql::Position position) {
  Block block = grouped.block;
  std::erase_if(block.released, [&](const ReleasedColumn& column) {
    return std::find(apart.begin(), apart.end(), column.name) != apart.end();
  });
  for (Expression& key : keys) places.push_back(&key);
  const sql::Relation read = ReadBlock(grouped, std::move(block), places, position);
  const std::string block_name = sql::As<sql::TableReference>(read)->name;
  const std::string name = LevelsOf(grouped, block_name, keys).name;
  Redirect(places, block_name, [&](const std::string&) { return name; });
  return MakeRelation(sql::TableReference{"", name, {}}, position);
}

bool HasTotals(const std::vector<std::vector<size_t>>& levels) {
  for (size_t i = 0; i < levels.size(); ++i) {
    for (size_t j = 0; j < levels.size(); ++j) {
      const bool within =
          std::includes(levels[i].begin(), levels[i].end(), levels[j].begin(), levels[j].end());
      if (i != j && within) return true;
    }
  }
  return false;
}

// Levels of which none is another's total need not agree, and the way with less error is taken: the
// mean over the levels, in multiples of what one release at the whole price has. Sums of n numbers
// are off by the root of n, and L releases by L times as much, under zCDP by the root of L.
bool AreBetterApart(const GroupedQuery& grouped) {
  if (HasTotals(grouped.levels)) return false;
  const double levels = static_cast<double>(grouped.levels.size());
  const ListedGroups groups(grouped.block);
  const std::optional<Integer> all = groups.By(grouped.block.ShownKeys());
  if (!all) return false;
  double summed = 0;
  for (const std::vector<size_t>& level : grouped.levels) {
    const double of_level = std::max(groups.By(level).value_or(*all).get_d(), 1.0);
    summed += std::sqrt(all->get_d() / of_level) / levels;
  }
  const bool zcdp = grouped.known.policy.privacy.accounting == policy::Accounting::kZcdp;
  return (zcdp ? std::sqrt(levels) : levels) < summed;
}

}  // namespace

Result<Done> SetLevels(GroupedQuery& grouped, const std::vector<Expression>& keys,
                       const std::vector<std::vector<size_t>>& sets) {
  if (sets.empty()) return Done{};
  grouped.level_keys.resize(grouped.block.keys.size());
  std::vector<size_t> key_of;
  for (const Expression& written : keys) {
    const std::optional<size_t> key = FindKey(grouped, written);
    if (!key) {
      return Refuse(rules::kWrongShape, written->position,
                    "a constant has no level among GROUPING SETS", "leave it out of GROUP BY");
    }
    key_of.push_back(*key);
    grouped.level_keys[*key] = written;
  }
  for (const std::vector<size_t>& set : sets) {
    std::set<size_t> level;
    for (const size_t i : set) level.insert(key_of[i]);
    grouped.levels.emplace_back(level.begin(), level.end());
  }
  return Done{};
}

Result<Expression> GroupingOf(GroupedQuery& grouped, const sql::AggregateCall& call,
                              sql::Position position) {
  std::vector<size_t> keys;
  for (const Expression& argument : call.arguments) {
    const std::optional<size_t> key = FindKey(grouped, argument);
    if (!key) {
      return Refuse(rules::kUngroupedColumn, argument->position,
                    "the arguments of grouping() must be what the query groups by",
                    "write one of the expressions of GROUP BY");
    }
    keys.push_back(*key);
  }
  sql::Case bits;
  bits.operand = Reference(kReleasedMarker, kLevelColumn);
  for (size_t level = 0; level < grouped.levels.size(); ++level) {
    const std::vector<size_t>& set = grouped.levels[level];
    size_t value = 0;
    for (const size_t key : keys) {
      const bool absent = std::find(set.begin(), set.end(), key) == set.end();
      value = 2 * value + (absent ? 1 : 0);
    }
    bits.branches.push_back({Number(level), Number(value)});
  }
  if (bits.branches.empty()) return Number(0);
  return MakeExpression(std::move(bits), position);
}

Result<sql::Relation> AddReleases(GroupedQuery& grouped, const Places& places,
                                  sql::Position position) {
  if (grouped.levels.empty()) return ReadBlock(grouped, grouped.block, places, position);
  const bool all_apart = grouped.block.HasPrivateKeys() || AreBetterApart(grouped);
  std::vector<std::string> apart;
  for (const ReleasedColumn& column : grouped.block.released) {
    if (all_apart || !AddsUp(grouped.block, column)) apart.push_back(column.name);
  }
  const size_t summed = grouped.block.released.size() - apart.size();
  std::vector<Expression> keys;
  for (size_t i = 0; i < grouped.block.keys.size(); ++i) {
    keys.push_back(Reference(kReleasedMarker, KeyName(i)));
  }
  if (!all_apart && apart.empty()) return LevelsSummed(grouped, {}, places, keys, position);
  TACIT_TRY(sql::Relation levels, LevelsApart(grouped, apart, position));
  const bool has_both = !all_apart && summed > 0;
  Redirect(places, kReleasedMarker, [&](const std::string& column) {
    const bool is_apart = std::find(apart.begin(), apart.end(), column) != apart.end();
    return !has_both || is_apart ? std::string(kApart) : kReleasedMarker;
  });
  if (!has_both) return levels;
  Expression level = Reference(kReleasedMarker, kLevelColumn);
  Places all = places;
  all.push_back(&level);
  const sql::Relation sums = LevelsSummed(grouped, apart, all, keys, position);
  std::vector<Expression> same = {
      MakeExpression(sql::Operator{"=", {level, Reference(kApart, kLevelColumn)}})};
  for (size_t i = 0; i < keys.size(); ++i) {
    same.push_back(MakeExpression(sql::IsDistinct{keys[i], Reference(kApart, KeyName(i)), true}));
  }
  return MakeRelation(
      sql::Join{sql::JoinKind::kInner, sums, levels, sql::JoinConjuncts(std::move(same)), {}},
      position);
}

}  // namespace tacit::analysis
