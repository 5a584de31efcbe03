#include "sql/parse/from_function.h"

namespace tacit::sql::grammar {
namespace {

// The only function of FROM (...), where that is all that there is.
const PgQuery__FuncCall* OnlyFunction(const PgQuery__SelectStmt& select) {
  const bool alone =
      select.n_from_clause == 1 && select.n_target_list == 1 && select.where_clause == nullptr &&
      select.n_group_clause == 0 && select.having_clause == nullptr && select.n_sort_clause == 0 &&
      select.limit_count == nullptr && select.limit_offset == nullptr &&
      select.with_clause == nullptr && select.n_distinct_clause == 0 && select.n_window_clause == 0;
  if (!alone || select.from_clause[0]->node_case != PG_QUERY__NODE__NODE_RANGE_FUNCTION) {
    return nullptr;
  }
  const PgQuery__RangeFunction& range = *select.from_clause[0]->range_function;
  const bool one = range.n_functions == 1 && range.lateral == 0 && range.ordinality == 0 &&
                   range.functions[0]->node_case == PG_QUERY__NODE__NODE_LIST &&
                   range.functions[0]->list->n_items > 0;
  if (!one) return nullptr;
  const Node* call = range.functions[0]->list->items[0];
  return call->node_case == PG_QUERY__NODE__NODE_FUNC_CALL ? call->func_call : nullptr;
}

// SELECT *
bool SelectsAll(const PgQuery__SelectStmt& select) {
  const Node* target = select.target_list[0];
  if (target->node_case != PG_QUERY__NODE__NODE_RES_TARGET) return false;
  const Node* value = target->res_target->val;
  return value != nullptr && value->node_case == PG_QUERY__NODE__NODE_COLUMN_REF &&
         value->column_ref->n_fields == 1 &&
         value->column_ref->fields[0]->node_case == PG_QUERY__NODE__NODE_A_STAR;
}

}  // namespace

const PgQuery__FuncCall* OnlyFunctionOf(const Node& node) {
  if (node.node_case != PG_QUERY__NODE__NODE_SELECT_STMT) return nullptr;
  const PgQuery__FuncCall* call = OnlyFunction(*node.select_stmt);
  return call != nullptr && SelectsAll(*node.select_stmt) ? call : nullptr;
}

}  // namespace tacit::sql::grammar
