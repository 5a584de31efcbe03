#include <algorithm>

#include "sql/parse.h"
#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {
namespace {

Error Sampled(const PgQuery__RangeTableSample& sample) {
  const bool named =
      sample.relation != nullptr && sample.relation->node_case == PG_QUERY__NODE__NODE_RANGE_VAR;
  const std::string all =
      named ? ": SELECT count(*) FROM " + std::string(sample.relation->range_var->relname) : "";
  Error error = Unsupported("TABLESAMPLE", sample.location,
                            "a sample of rows is no sample of people, and what is left to chance "
                            "would not be random to who sees it. Ask about all rows" +
                                all);
  error.rule = "table_sample";
  return error;
}

}  // namespace

Result<Alias> Converter::ConvertAlias(const PgQuery__Alias* alias) {
  Alias converted;
  if (alias == nullptr) return converted;
  converted.name = alias->aliasname;
  converted.columns = NameParts(alias->n_colnames, alias->colnames);
  return converted;
}

Result<Relation> Converter::ConvertRelation(const Node* node) {
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR: {
      const PgQuery__RangeVar& table = *node->range_var;
      const Position position{table.location};
      const std::string schema = table.schemaname;
      TACIT_TRY(Alias alias, ConvertAlias(table.alias));
      const auto& names = common_tables_;
      if (schema.empty() && std::find(names.begin(), names.end(), table.relname) != names.end()) {
        read_names_.push_back(table.relname);
        return MakeRelation(CommonTableReference{table.relname, std::move(alias)}, position);
      }
      return MakeRelation(TableReference{schema, table.relname, std::move(alias)}, position);
    }
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT: {
      const PgQuery__RangeSubselect& derived = *node->range_subselect;
      if (derived.lateral != 0) {
        return Unsupported("LATERAL", -1, "write what it computes into the SELECT list");
      }
      TACIT_TRY(Query query, ConvertQuery(derived.subquery));
      TACIT_TRY(Alias alias, ConvertAlias(derived.alias));
      const Position position = query->position;
      return MakeRelation(DerivedTable{std::move(query), std::move(alias)}, position);
    }
    case PG_QUERY__NODE__NODE_JOIN_EXPR:
      return ConvertJoin(*node->join_expr);
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
      return Sampled(*node->range_table_sample);
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
      return ConvertRangeFunction(*node->range_function);
    default:
      return Unsupported("this item in FROM", -1);
  }
}

Result<Relation> Converter::ConvertJoin(const PgQuery__JoinExpr& join) {
  if (depth_ >= kNestingDepthMax) {
    return Unsupported("nesting deeper than " + std::to_string(kNestingDepthMax) + " levels", -1);
  }
  if (join.alias != nullptr || join.join_using_alias != nullptr) {
    return Unsupported("an alias of a join", -1, "give the tables aliases");
  }
  Join converted;
  converted.natural = join.is_natural != 0;
  ++depth_;
  Result<Relation> left = ConvertRelation(join.larg);
  Result<Relation> right = left.ok() ? ConvertRelation(join.rarg) : Result<Relation>(Relation());
  --depth_;
  TACIT_TRY(converted.left, std::move(left));
  TACIT_TRY(converted.right, std::move(right));
  TACIT_TRY(converted.on, ConvertExpression(join.quals));
  converted.using_columns = NameParts(join.n_using_clause, join.using_clause);
  switch (join.jointype) {
    case PG_QUERY__JOIN_TYPE__JOIN_INNER:
      converted.kind = !converted.on && converted.using_columns.empty() && !converted.natural
                           ? JoinKind::kCross
                           : JoinKind::kInner;
      break;
    case PG_QUERY__JOIN_TYPE__JOIN_LEFT:
      converted.kind = JoinKind::kLeft;
      break;
    case PG_QUERY__JOIN_TYPE__JOIN_RIGHT:
      converted.kind = JoinKind::kRight;
      break;
    case PG_QUERY__JOIN_TYPE__JOIN_FULL:
      converted.kind = JoinKind::kFull;
      break;
    default:
      return Unsupported("this kind of join", -1);
  }
  const Position position = converted.left->position;
  return MakeRelation(std::move(converted), position);
}

}  // namespace tacit::sql::grammar
