#include <algorithm>
#include <utility>

#include "sql/parse.h"
#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {
namespace {

// PostgreSQL's frame option bits (FRAMEOPTION_* of parsenodes.h).
constexpr int kFrameGiven = 0x1;
constexpr int kFrameRows = 0x4;
constexpr int kFrameGroups = 0x8;
constexpr int kFrameExclusion = 0x8000 | 0x10000 | 0x20000;

FrameEdge StartEdge(int options) {
  if (options & 0x200) return FrameEdge::kCurrentRow;
  if (options & 0x800) return FrameEdge::kPreceding;
  if (options & 0x2000) return FrameEdge::kFollowing;
  return FrameEdge::kUnboundedPreceding;
}

FrameEdge EndEdge(int options) {
  if (options & 0x100) return FrameEdge::kUnboundedFollowing;
  if (options & 0x1000) return FrameEdge::kPreceding;
  if (options & 0x4000) return FrameEdge::kFollowing;
  return FrameEdge::kCurrentRow;
}

SetOperator ConvertSetOperator(PgQuery__SetOperation operation) {
  if (operation == PG_QUERY__SET_OPERATION__SETOP_INTERSECT) return SetOperator::kIntersect;
  if (operation == PG_QUERY__SET_OPERATION__SETOP_EXCEPT) return SetOperator::kExcept;
  return SetOperator::kUnion;
}

// median(x) is read as another function and keeps its name.
bool IsMedian(const PgQuery__ResTarget& target) {
  if (target.name[0] != '\0' || target.val == nullptr ||
      target.val->node_case != PG_QUERY__NODE__NODE_FUNC_CALL) {
    return false;
  }
  const PgQuery__FuncCall& call = *target.val->func_call;
  const std::vector<std::string> name = NameParts(call.n_funcname, call.funcname);
  return !name.empty() && name.back() == "median";
}

Result<Done> CheckRecursive(const CommonTable& table) {
  const auto* operation = As<SetOperation>(table.query);
  const bool plain = operation != nullptr && operation->set_operator == SetOperator::kUnion &&
                     table.query->with.empty() && table.query->order_by.empty() &&
                     !table.query->limit && !table.query->offset;
  if (plain) return Done{};
  Error error = Invalid(
      "\"" + table.name + "\" names itself, and is no UNION of a beginning and a step",
      table.position.offset, "a series can be written: SELECT n FROM generate_series(1, 10) AS n");
  error.rule = "recursive_query";
  return error;
}

int PositionOf(const Expression& expression) {
  return expression ? expression->position.offset : -1;
}

}  // namespace

Result<Query> Converter::ConvertQuery(const Node* node) {
  if (node == nullptr || node->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    return Unsupported("a statement that changes the database", -1, "only SELECT is answered");
  }
  return ConvertSelect(*node->select_stmt);
}

Result<Query> Converter::ConvertSelect(const PgQuery__SelectStmt& select) {
  if (depth_ >= kNestingDepthMax) {
    return Unsupported("nesting deeper than " + std::to_string(kNestingDepthMax) + " levels", -1);
  }
  if (select.into_clause != nullptr) return Unsupported("SELECT INTO", -1);
  if (select.n_locking_clause != 0) return Unsupported("FOR UPDATE or FOR SHARE", -1);
  if (select.limit_option == PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_WITH_TIES) {
    return Unsupported("WITH TIES", -1, "use LIMIT");
  }
  ++depth_;
  const size_t outer_tables = common_tables_.size();
  Result<Query> converted = [&]() -> Result<Query> {
    QueryNode query;
    if (select.with_clause != nullptr) {
      TACIT_CHECK(ConvertWith(*select.with_clause, query.with));
    }
    if (select.op > PG_QUERY__SET_OPERATION__SETOP_NONE) {
      TACIT_TRY(Query left, ConvertSelect(*select.larg));
      TACIT_TRY(Query right, ConvertSelect(*select.rarg));
      query.position = left->position;
      query.body = SetOperation{ConvertSetOperator(select.op), select.all != 0, std::move(left),
                                std::move(right)};
    } else if (select.n_values_lists != 0) {
      TACIT_TRY(query.body, ConvertValues(select));
    } else {
      TACIT_TRY(Select body, ConvertSelectBody(select));
      if (!body.items.empty()) query.position = {PositionOf(body.items.front().expression)};
      query.body = std::move(body);
    }
    TACIT_TRY(query.order_by, ConvertOrder(select.n_sort_clause, select.sort_clause));
    TACIT_TRY(query.limit, ConvertExpression(select.limit_count));
    TACIT_TRY(query.offset, ConvertExpression(select.limit_offset));
    const auto* limit = As<Literal>(query.limit);
    if (limit != nullptr && limit->kind == LiteralKind::kNull) query.limit = {};  // LIMIT ALL
    return Query(std::move(query));
  }();
  common_tables_.resize(outer_tables);
  --depth_;
  return converted;
}

Result<Select> Converter::ConvertSelectBody(const PgQuery__SelectStmt& select) {
  Select body;
  const bool in_exists = std::exchange(in_exists_, false);
  // A lone NULL in the list is the grammar's way to say DISTINCT without ON.
  const bool distinct = select.n_distinct_clause != 0;
  const bool plain = distinct && select.n_distinct_clause == 1 &&
                     select.distinct_clause[0]->node_case == PG_QUERY__NODE__NODE__NOT_SET;
  body.distinct = plain;
  if (distinct && !plain) {
    TACIT_TRY(body.distinct_on, ConvertList(select.n_distinct_clause, select.distinct_clause));
  }
  for (size_t i = 0; i < select.n_target_list; ++i) {
    const PgQuery__ResTarget& target = *select.target_list[i]->res_target;
    if (select.n_from_clause == 0) {
      TACIT_TRY(const bool series, ConvertSeriesItem(target, body));
      if (series) continue;
    }
    TACIT_TRY(Expression expression, ConvertExpression(target.val));
    body.items.push_back({std::move(expression), target.name});
    if (IsMedian(target)) body.items.back().alias = "median";
  }
  // EXISTS asks for rows, whatever they hold.
  if (body.items.empty() && in_exists) {
    body.items.push_back({MakeExpression(Literal{LiteralKind::kInteger, "1", {}}), ""});
  }
  // The outermost one may be a probe for a shape, which then is none; analysis refuses others.
  if (body.items.empty() && depth_ > 1) return Unsupported("a SELECT without columns", -1);
  for (size_t i = 0; i < select.n_from_clause; ++i) {
    TACIT_TRY(body.from.emplace_back(), ConvertRelation(select.from_clause[i]));
  }
  TACIT_TRY(body.where, ConvertExpression(select.where_clause));
  TACIT_TRY(body.having, ConvertExpression(select.having_clause));
  TACIT_CHECK(ConvertGroupBy(select, body));
  for (size_t i = 0; i < select.n_window_clause; ++i) {
    const PgQuery__WindowDef& named = *select.window_clause[i]->window_def;
    TACIT_TRY(Window window, ConvertWindow(named));
    body.windows.push_back({named.name, std::move(window)});
  }
  return body;
}

Result<Values> Converter::ConvertValues(const PgQuery__SelectStmt& select) {
  Values values;
  for (size_t i = 0; i < select.n_values_lists; ++i) {
    const PgQuery__List& row = *select.values_lists[i]->list;
    TACIT_TRY(values.rows.emplace_back(), ConvertList(row.n_items, row.items));
    if (values.rows.back().size() != values.rows.front().size()) {
      return Invalid("VALUES lists must all be the same length",
                     PositionOf(values.rows.back().front()));
    }
  }
  return values;
}

Result<Done> Converter::ConvertWith(const PgQuery__WithClause& with,
                                    std::vector<CommonTable>& tables) {
  for (size_t i = 0; i < with.n_ctes; ++i) {
    const PgQuery__CommonTableExpr& cte = *with.ctes[i]->common_table_expr;
    CommonTable table{.name = cte.ctename, .columns = {}, .query = {}, .position = {cte.location}};
    for (const CommonTable& earlier : tables) {
      if (earlier.name == table.name) {
        return Invalid("WITH declares \"" + table.name + "\" twice", cte.location);
      }
    }
    table.columns = NameParts(cte.n_aliascolnames, cte.aliascolnames);
    // Under RECURSIVE a query sees its own name.
    const auto reads_before = std::count(read_names_.begin(), read_names_.end(), table.name);
    if (with.recursive != 0) common_tables_.push_back(table.name);
    TACIT_TRY(table.query, ConvertQuery(cte.ctequery));
    if (with.recursive == 0) common_tables_.push_back(table.name);
    const auto reads = std::count(read_names_.begin(), read_names_.end(), table.name);
    table.recursive = with.recursive != 0 && reads > reads_before;
    if (table.recursive) TACIT_CHECK(CheckRecursive(table));
    tables.push_back(std::move(table));
  }
  return Done{};
}

Result<std::vector<OrderItem>> Converter::ConvertOrder(size_t count, Node* const* nodes) {
  std::vector<OrderItem> items;
  for (size_t i = 0; i < count; ++i) {
    const PgQuery__SortBy& sort = *nodes[i]->sort_by;
    if (sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_USING) {
      return Unsupported("ORDER BY ... USING", sort.location, "use ASC or DESC");
    }
    OrderItem item;
    TACIT_TRY(item.expression, ConvertExpression(sort.node));
    item.descending = sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_DESC;
    item.nulls_first = item.descending;
    if (sort.sortby_nulls == PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_FIRST) item.nulls_first = true;
    if (sort.sortby_nulls == PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_LAST) item.nulls_first = false;
    items.push_back(std::move(item));
  }
  return items;
}

Result<Window> Converter::ConvertWindow(const PgQuery__WindowDef& window) {
  Window converted;
  converted.base = window.refname;
  TACIT_TRY(converted.partition_by,
            ConvertList(window.n_partition_clause, window.partition_clause));
  TACIT_TRY(converted.order_by, ConvertOrder(window.n_order_clause, window.order_clause));
  const int options = window.frame_options;
  if ((options & kFrameGiven) == 0) return converted;
  if ((options & kFrameExclusion) != 0) return Unsupported("EXCLUDE", window.location);
  Frame frame;
  if (options & kFrameRows) frame.unit = FrameUnit::kRows;
  if (options & kFrameGroups) frame.unit = FrameUnit::kGroups;
  frame.start = StartEdge(options);
  frame.end = EndEdge(options);
  TACIT_TRY(frame.start_offset, ConvertExpression(window.start_offset));
  TACIT_TRY(frame.end_offset, ConvertExpression(window.end_offset));
  converted.frame = std::move(frame);
  return converted;
}

}  // namespace tacit::sql::grammar
