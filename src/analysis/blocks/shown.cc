#include "analysis/blocks/shown.h"

#include <algorithm>
#include <map>

#include "analysis/tables_above.h"
#include "sql/bind/scope.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

struct Named {
  std::string table;
  std::string name;
  Origin origin;
};
using Columns = std::vector<Named>;

// What a relation gives. Unsteady: which rows there are depends on noisy numbers.
struct Made {
  Columns columns;
  bool unsteady = false;
};
using CommonTables = std::map<std::string, Made>;

// The columns that names can mean; a subquery's has its outer query's behind it.
struct Seen {
  const Columns& columns;
  const Seen* outer = nullptr;
};

void Merge(Origin& into, const Origin& from) {
  into.noisy = into.noisy || from.noisy;
  into.chosen = into.chosen || from.chosen;
}

bool IsTouched(const Origin& origin) { return origin.noisy || origin.chosen; }

bool IsTouched(const Columns& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [](const Named& column) { return IsTouched(column.origin); });
}

// Of a name that nothing is known of, the worst is said.
constexpr Origin kUnknown{.shown = std::nullopt, .noisy = true, .chosen = true};

Origin OriginOfName(const sql::ColumnReference& reference, const Seen& seen) {
  Origin origin;
  int found = 0;
  for (const bool exactly : {true, false}) {
    const auto fits = [&](const std::string& written, const std::string& known) {
      return exactly ? written == known : sql::FitsWithoutCase(written, known);
    };
    for (const Named& column : seen.columns) {
      if (!fits(reference.column, column.name)) continue;
      if (!reference.table.empty() && !fits(reference.table, column.table)) continue;
      Merge(origin, column.origin);
      origin.shown = column.origin.shown;
      ++found;
    }
    if (found > 0) break;
  }
  if (found == 0) {
    return seen.outer != nullptr ? OriginOfName(reference, *seen.outer) : kUnknown;
  }
  if (found > 1) origin.shown.reset();
  return origin;
}

bool IsAggregated(const sql::Select& select) {
  return !select.group_by.empty() || sql::HasAggregate(select.having) ||
         std::any_of(select.items.begin(), select.items.end(), [](const sql::SelectItem& item) {
           return sql::HasAggregate(item.expression);
         });
}

class Finder {
 public:
  explicit Finder(const Facts& facts) : facts_(facts), tables_(facts) {}

  Origins Find(const sql::Query& query) const {
    CommonTables common;
    AddCommon(*query, common, nullptr);
    Origins origins;
    for (const Named& column : OfQuery(query, {}, nullptr).columns) {
      origins.columns.push_back(column.origin);
    }
    const auto* select = sql::As<sql::Select>(query);
    if (select != nullptr) Identify(*select, common, origins);
    return origins;
  }

 private:
  static void Rename(Columns& columns, const sql::Alias& alias) {
    for (Named& column : columns) {
      if (!alias.name.empty()) column.table = alias.name;
    }
    for (size_t i = 0; i < alias.columns.size() && i < columns.size(); ++i) {
      columns[i].name = alias.columns[i];
    }
  }

  void AddCommon(const sql::QueryNode& query, CommonTables& common, const Seen* outer) const {
    for (const sql::CommonTable& table : query.with) {
      Made made = OfQuery(table.query, common, outer);
      Rename(made.columns, {table.name, table.columns});
      common[table.name] = std::move(made);
    }
  }

  Made OfQuery(const sql::Query& query, CommonTables common, const Seen* outer) const {
    AddCommon(*query, common, outer);
    Made made;
    if (const auto* select = sql::As<sql::Select>(query)) {
      made = OfSelect(*select, common, outer);
    } else if (const auto* operation = sql::As<sql::SetOperation>(query)) {
      made = OfQuery(operation->left, common, outer);
      const Made right = OfQuery(operation->right, common, outer);
      made.unsteady = made.unsteady || right.unsteady;
      for (size_t i = 0; i < made.columns.size(); ++i) {
        made.columns[i].origin.shown.reset();
        if (i < right.columns.size()) Merge(made.columns[i].origin, right.columns[i].origin);
      }
      const bool all = operation->all && operation->set_operator == sql::SetOperator::kUnion;
      if (!all && IsTouched(made.columns)) made.unsteady = true;
    } else {
      made.columns.resize(sql::As<sql::Values>(query)->rows.front().size());
    }
    if ((query->limit || query->offset) && IsTouched(made.columns)) made.unsteady = true;
    return made;
  }

  Made InputOf(const sql::Select& select, const CommonTables& common, const Seen* outer) const {
    Made input;
    for (const sql::Relation& relation : select.from) {
      Made part = OfRelation(relation, common, outer);
      input.unsteady = input.unsteady || part.unsteady;
      for (Named& column : part.columns) input.columns.push_back(std::move(column));
    }
    return input;
  }

  std::vector<Expression> GroupsOf(const sql::Select& select, const Columns& input) const {
    const auto is_input = [&](const std::string& name) {
      return std::any_of(input.begin(), input.end(),
                         [&](const Named& column) { return column.name == name; });
    };
    const Result<std::vector<Expression>> groups = sql::ResolveGroupBy(select, {is_input});
    return groups.ok() ? *groups : select.group_by;
  }

  Made OfSelect(const sql::Select& select, const CommonTables& common, const Seen* outer) const {
    const Made input = InputOf(select, common, outer);
    const Seen seen{input.columns, outer};
    const auto touched = [&](const Expression& expression, bool unsteady) {
      return expression && IsTouched(OfExpression(expression, seen, common, unsteady));
    };
    Made made;
    bool unsteady = input.unsteady || touched(select.where, input.unsteady);
    for (const Expression& group : GroupsOf(select, input.columns)) {
      unsteady = unsteady || touched(group, unsteady);
    }
    for (const sql::SelectItem& item : select.items) {
      if (const auto* star = sql::As<sql::Star>(item.expression)) {
        for (const Named& column : input.columns) {
          if (star->table.empty() || star->table == column.table) made.columns.push_back(column);
        }
        continue;
      }
      made.columns.push_back(
          {"", sql::OutputName(item), OfExpression(item.expression, seen, common, unsteady)});
    }
    const bool folded = select.distinct || !select.distinct_on.empty();
    made.unsteady =
        unsteady || touched(select.having, unsteady) || (folded && IsTouched(made.columns));
    return made;
  }

  // An aggregate or a window over rows that come and go with the noise is noisy itself.
  Origin OfExpression(const Expression& expression, const Seen& seen, const CommonTables& common,
                      bool unsteady) const {
    if (const auto* reference = sql::As<sql::ColumnReference>(expression)) {
      return OriginOfName(*reference, seen);
    }
    Origin origin;
    const auto of_query = [&](const sql::Query& query) {
      const Made made = OfQuery(query, common, &seen);
      for (const Named& column : made.columns) Merge(origin, column.origin);
      origin.noisy = origin.noisy || made.unsteady;
    };
    sql::Visit(expression, [&](const Expression& node) {
      if (const auto* reference = sql::As<sql::ColumnReference>(node)) {
        Merge(origin, OriginOfName(*reference, seen));
      } else if (sql::As<sql::AggregateCall>(node) || sql::As<sql::WindowCall>(node)) {
        // What a named window is ordered by stands elsewhere.
        const auto* window = sql::As<sql::WindowCall>(node);
        const bool named = window != nullptr && !window->window.base.empty();
        origin.noisy = origin.noisy || unsteady || named;
      } else if (const auto* exists = sql::As<sql::Exists>(node)) {
        of_query(exists->query);
      } else if (const auto* in = sql::As<sql::InQuery>(node)) {
        of_query(in->query);
      } else if (const auto* scalar = sql::As<sql::ScalarQuery>(node)) {
        of_query(scalar->query);
      }
      return true;
    });
    return origin;
  }

  Made OfRelation(const sql::Relation& relation, const CommonTables& common,
                  const Seen* outer) const {
    if (const auto* table = sql::As<sql::TableReference>(relation)) {
      Made made{.columns = OfTable(table->name)};
      Rename(made.columns,
             {table->alias.name.empty() ? table->name : table->alias.name, table->alias.columns});
      return made;
    }
    if (const auto* reference = sql::As<sql::CommonTableReference>(relation)) {
      const auto found = common.find(reference->name);
      Made made = found == common.end() ? Made{} : found->second;
      Rename(made.columns, reference->alias);
      return made;
    }
    if (const auto* derived = sql::As<sql::DerivedTable>(relation)) {
      Made made = OfQuery(derived->query, common, outer);
      Rename(made.columns, derived->alias);
      return made;
    }
    const auto* join = sql::As<sql::Join>(relation);
    Made made = OfRelation(join->left, common, outer);
    Made right = OfRelation(join->right, common, outer);
    made.unsteady = made.unsteady || right.unsteady;
    for (Named& column : right.columns) {
      const bool merged = std::find(join->using_columns.begin(), join->using_columns.end(),
                                    column.name) != join->using_columns.end();
      if (merged && IsTouched(column.origin)) made.unsteady = true;
      if (!merged) made.columns.push_back(std::move(column));
    }
    const Seen seen{made.columns, outer};
    if (join->on && IsTouched(OfExpression(join->on, seen, common, made.unsteady))) {
      made.unsteady = true;
    }
    return made;
  }

  Columns OfTable(const std::string& name) const {
    Columns columns;
    const std::vector<sql::TypedColumn>* known = tables_.Find("", name);
    if (known == nullptr) return columns;
    for (const sql::TypedColumn& column : *known) columns.push_back({name, column.name, {}});
    for (size_t block = 0; block < facts_.blocks.size(); ++block) {
      if (facts_.blocks[block].name != name) continue;
      const std::vector<ReleasedColumn>& released = facts_.blocks[block].released;
      for (size_t i = 0; i < released.size(); ++i) {
        for (Named& column : columns) {
          if (column.name == ErrorColumnName(released[i].name)) column.origin.noisy = true;
          if (column.name != released[i].name) continue;
          column.origin.shown = std::pair(block, i);
          const auto& value = released[i].value;
          const auto* quantile = std::get_if<QuantileColumn>(&value);
          column.origin.chosen =
              std::holds_alternative<ModeColumn>(value) ||
              (quantile != nullptr && facts_.blocks[block].measures[quantile->measure].extreme);
          column.origin.noisy = !column.origin.chosen;
        }
      }
    }
    for (const LevelTable& levels : facts_.levels) {
      if (levels.name != name) continue;
      const size_t keys = facts_.blocks[levels.block].keys.size();
      for (size_t i = keys; i + 1 < columns.size(); ++i) columns[i].origin.noisy = true;
    }
    return columns;
  }

  // What tells the outermost rows apart: their groups, what DISTINCT compares, or all that is known
  // of them beside noise.
  void Identify(const sql::Select& select, const CommonTables& common, Origins& origins) const {
    const Made input = InputOf(select, common, nullptr);
    const Seen seen{input.columns};
    std::vector<Expression> quiet;
    for (const Expression& conjunct : sql::SplitConjuncts(select.where)) {
      if (!IsTouched(OfExpression(conjunct, seen, common, input.unsteady))) {
        quiet.push_back(conjunct);
      }
    }
    origins.quiet_where = sql::JoinConjuncts(std::move(quiet));
    // Of a total and of an unknown value the key is NULL.
    if (!select.distinct_on.empty() || !select.grouping_sets.empty()) return;
    std::vector<Expression> identity;
    if (IsAggregated(select)) {
      for (const Expression& group : GroupsOf(select, input.columns)) {
        if (IsTouched(OfExpression(group, seen, common, input.unsteady))) return;
        identity.push_back(group);
      }
    } else if (select.distinct) {
      for (size_t i = 0; i < select.items.size(); ++i) {
        if (sql::As<sql::Star>(select.items[i].expression)) return;
        if (!IsTouched(origins.columns[i])) identity.push_back(select.items[i].expression);
      }
    } else {
      for (const Named& column : input.columns) {
        const auto same = [&](const Named& other) {
          return other.table == column.table && other.name == column.name;
        };
        if (IsTouched(column.origin)) continue;
        // A name that means two columns cannot be asked for.
        if (column.name.empty() ||
            std::count_if(input.columns.begin(), input.columns.end(), same) > 1) {
          return;
        }
        identity.push_back(sql::MakeExpression(sql::ColumnReference{column.table, column.name}));
      }
    }
    origins.row_identity = std::move(identity);
  }

  const Facts& facts_;
  TablesAbove tables_;
};

}  // namespace

Origins OriginsOf(const sql::Query& post, const Facts& facts) { return Finder(facts).Find(post); }

}  // namespace tacit::analysis
