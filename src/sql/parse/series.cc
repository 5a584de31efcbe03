#include "sql/functions/own_functions.h"
#include "sql/parse/grammar.h"

// generate_series and unnest: tables that a query writes. Their rows are written out once all
// constants are known (constants/series.h).
namespace tacit::sql::grammar {
namespace {

std::string SeriesName(const PgQuery__FuncCall& call) {
  const std::vector<std::string> name = NameParts(call.n_funcname, call.funcname);
  return name.empty() ? "" : name.back();
}

bool IsSeries(const PgQuery__FuncCall& call) {
  const std::string name = SeriesName(call);
  return name == "generate_series" || name == "unnest";
}

// WITH ORDINALITY: beside each row its number. A row that stands for many has that of its first.
Query ValuesOf(std::vector<Expression> rows, bool numbered, int position) {
  Values values;
  for (Expression& row : rows) {
    values.rows.push_back({std::move(row)});
    if (!numbered) continue;
    const std::string number = std::to_string(values.rows.size());
    values.rows.back().push_back(
        MakeExpression(Literal{LiteralKind::kInteger, number, {}}, {position}));
  }
  QueryNode node;
  node.body = std::move(values);
  node.position = {position};
  return Query(std::move(node));
}

}  // namespace

Result<Relation> Converter::ConvertSeries(const PgQuery__FuncCall& call, Alias alias,
                                          bool numbered) {
  const std::string name = SeriesName(call);
  std::vector<Expression> rows;
  if (name == "unnest") {
    if (call.n_args != 1) return Unsupported("unnest of several arrays", call.location);
    TACIT_TRY(rows, ConvertArray(call.args[0], call.location));
    if (rows.empty()) return Unsupported("unnest of an empty array", call.location);
  } else {
    TACIT_TRY(std::vector<Expression> arguments, ConvertList(call.n_args, call.args));
    if (arguments.size() != 2 && arguments.size() != 3) {
      return Invalid("generate_series takes two or three arguments", call.location);
    }
    rows.push_back(MakeExpression(sql::Call{std::string(kSeriesFunction), std::move(arguments)},
                                  {call.location}));
  }
  if (alias.name.empty()) alias.name = name;
  if (alias.columns.empty()) alias.columns = {alias.name};
  if (numbered && alias.columns.size() == 1) alias.columns.emplace_back("ordinality");
  const Position position{call.location};
  return MakeRelation(
      DerivedTable{ValuesOf(std::move(rows), numbered, call.location), std::move(alias)}, position);
}

Result<Relation> Converter::ConvertRangeFunction(const PgQuery__RangeFunction& range) {
  const Node* call = nullptr;
  if (range.n_functions == 1 && range.functions[0]->node_case == PG_QUERY__NODE__NODE_LIST &&
      range.functions[0]->list->n_items > 0) {
    call = range.functions[0]->list->items[0];
  }
  const bool plain = call != nullptr && call->node_case == PG_QUERY__NODE__NODE_FUNC_CALL &&
                     range.is_rowsfrom == 0 && range.lateral == 0 && range.n_coldeflist == 0;
  if (!plain || !IsSeries(*call->func_call)) {
    return Unsupported("a function in FROM, but generate_series and unnest of literals,", -1,
                       "write the rows with VALUES");
  }
  TACIT_TRY(Alias alias, ConvertAlias(range.alias));
  return ConvertSeries(*call->func_call, std::move(alias), range.ordinality != 0);
}

// SELECT generate_series(...)::date without FROM: the series is what it selects from.
Result<bool> Converter::ConvertSeriesItem(const PgQuery__ResTarget& target, Select& body) {
  std::vector<const PgQuery__TypeCast*> casts;
  const Node* node = target.val;
  while (node != nullptr && node->node_case == PG_QUERY__NODE__NODE_TYPE_CAST) {
    casts.push_back(node->type_cast);
    node = node->type_cast->arg;
  }
  const bool series = node != nullptr && node->node_case == PG_QUERY__NODE__NODE_FUNC_CALL &&
                      IsSeries(*node->func_call);
  if (!series) return false;
  const PgQuery__FuncCall& call = *node->func_call;
  const std::string name = SeriesName(call);
  if (!body.from.empty()) return Unsupported("more than one series", call.location);
  TACIT_TRY(body.from.emplace_back(), ConvertSeries(call, {}, false));
  Expression value = MakeExpression(ColumnReference{name, name}, {call.location});
  for (auto cast = casts.rbegin(); cast != casts.rend(); ++cast) {
    TACIT_TRY(const NamedType type, ConvertTypeName(*(*cast)->type_name));
    value = MakeExpression(Cast{std::move(value), type.type}, {call.location});
  }
  body.items.push_back({std::move(value), target.name});
  return true;
}

}  // namespace tacit::sql::grammar
