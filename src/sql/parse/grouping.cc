#include <algorithm>

#include "sql/parse.h"
#include "sql/parse/grammar.h"

// GROUP BY with its grouping sets written out: ROLLUP (a, b) is the levels (a, b), (a) and ().
namespace tacit::sql::grammar {
namespace {

using Levels = std::vector<GroupingLevel>;

// Why 64: a CUBE of six. Each level may be a release of its own.
constexpr size_t kLevelsMax = 64;

Error TooManyLevels(int position) {
  return Unsupported("grouping by more than " + std::to_string(kLevelsMax) + " levels", position,
                     "name the levels that are needed: GROUPING SETS ((a, b), (a), ())");
}

GroupingLevel Together(const GroupingLevel& a, const GroupingLevel& b) {
  GroupingLevel both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

Levels RollUp(const Levels& parts) {
  Levels levels;
  for (size_t kept = parts.size() + 1; kept-- > 0;) {
    GroupingLevel& level = levels.emplace_back();
    for (size_t i = 0; i < kept; ++i) level = Together(level, parts[i]);
  }
  return levels;
}

// As PostgreSQL orders them: what the first column is in comes first.
Levels Cube(const Levels& parts) {
  Levels levels;
  for (size_t absent = 0; absent < (size_t{1} << parts.size()); ++absent) {
    GroupingLevel& level = levels.emplace_back();
    for (size_t i = 0; i < parts.size(); ++i) {
      if ((absent >> (parts.size() - 1 - i) & 1) == 0) level = Together(level, parts[i]);
    }
  }
  return levels;
}

// The keys of all levels, each once, and every level as their numbers.
void PutLevels(const Levels& levels, bool distinct, Select& body) {
  for (const GroupingLevel& level : levels) {
    std::vector<size_t> set;
    for (const Expression& key : level) {
      const auto known = std::find(body.group_by.begin(), body.group_by.end(), key);
      set.push_back(static_cast<size_t>(known - body.group_by.begin()));
      if (known == body.group_by.end()) body.group_by.push_back(key);
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    const bool again = std::find(body.grouping_sets.begin(), body.grouping_sets.end(), set) !=
                       body.grouping_sets.end();
    if (!distinct || !again) body.grouping_sets.push_back(std::move(set));
  }
}

}  // namespace

// (a, b) is one part of both.
Result<GroupingLevel> Converter::OneLevel(size_t count, Node* const* nodes) {
  GroupingLevel level;
  for (size_t i = 0; i < count; ++i) {
    if (nodes[i]->node_case == PG_QUERY__NODE__NODE_ROW_EXPR) {
      const PgQuery__RowExpr& row = *nodes[i]->row_expr;
      TACIT_TRY(const GroupingLevel part, OneLevel(row.n_args, row.args));
      level = Together(level, part);
      continue;
    }
    TACIT_TRY(level.emplace_back(), ConvertExpression(nodes[i]));
  }
  return level;
}

Result<std::vector<GroupingLevel>> Converter::LevelsOf(const Node* item) {
  if (item->node_case != PG_QUERY__NODE__NODE_GROUPING_SET) {
    Node* one = const_cast<Node*>(item);  // NOLINT: the grammar's lists are not const
    TACIT_TRY(GroupingLevel level, OneLevel(1, &one));
    return Levels{std::move(level)};
  }
  const PgQuery__GroupingSet& set = *item->grouping_set;
  if (depth_ >= kNestingDepthMax) return TooManyLevels(set.location);
  if (set.kind == PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_EMPTY) return Levels{{}};
  Levels levels;
  if (set.kind == PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_SETS) {
    for (size_t i = 0; i < set.n_content; ++i) {
      ++depth_;
      Result<Levels> part = LevelsOf(set.content[i]);
      --depth_;
      TACIT_TRY(const Levels more, std::move(part));
      levels.insert(levels.end(), more.begin(), more.end());
      if (levels.size() > kLevelsMax) return TooManyLevels(set.location);
    }
    return levels;
  }
  Levels parts;
  for (size_t i = 0; i < set.n_content; ++i) {
    TACIT_TRY(parts.emplace_back(), OneLevel(1, &set.content[i]));
  }
  const bool cube = set.kind == PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_CUBE;
  const size_t most = cube ? 6 : kLevelsMax - 1;
  if (parts.size() > most) return TooManyLevels(set.location);
  return cube ? Cube(parts) : RollUp(parts);
}

// Several items are combined, each level of one with each of the others.
Result<Done> Converter::ConvertGroupBy(const PgQuery__SelectStmt& select, Select& body) {
  bool plain = true;
  Levels levels = {{}};
  for (size_t i = 0; i < select.n_group_clause; ++i) {
    const Node* item = select.group_clause[i];
    const bool is_set = item->node_case == PG_QUERY__NODE__NODE_GROUPING_SET;
    plain = plain && !is_set;
    const int position = is_set ? item->grouping_set->location : -1;
    TACIT_TRY(const Levels parts, LevelsOf(item));
    if (levels.size() * parts.size() > kLevelsMax) return TooManyLevels(position);
    Levels combined;
    for (const GroupingLevel& level : levels) {
      for (const GroupingLevel& part : parts) combined.push_back(Together(level, part));
    }
    levels = std::move(combined);
  }
  if (plain) {
    body.group_by = std::move(levels.front());
    return Done{};
  }
  PutLevels(levels, select.group_distinct != 0, body);
  if (body.grouping_sets.size() > 1 && body.group_by.empty()) {
    return Unsupported("GROUPING SETS of several empty sets", -1, "write GROUP BY ()");
  }
  if (body.grouping_sets.size() > 1) return Done{};
  // One level is a plain GROUP BY, and GROUP BY () is what HAVING alone makes of a query.
  body.grouping_sets.clear();
  if (body.group_by.empty() && !body.having) {
    body.having = MakeExpression(Literal{LiteralKind::kBoolean, "true", {}});
  }
  return Done{};
}

}  // namespace tacit::sql::grammar
