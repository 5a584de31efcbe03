#include "analysis/inside_unit/value_sources.h"

#include "analysis/expressions/columns.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

void AddCallSources(const sql::AggregateCall& call, std::vector<Expression>& sources) {
  for (const Expression& argument : call.arguments) {
    const bool only_counted = call.name == "count" && BareColumn(argument) != nullptr;
    if (!only_counted) sources.push_back(argument);
  }
  if (call.filter) sources.push_back(call.filter);
  for (const sql::OrderItem& item : call.order_by) sources.push_back(item.expression);
}

void AddValueSources(const Expression& node, std::vector<Expression>& sources) {
  if (const auto* call = sql::As<sql::AggregateCall>(node)) return AddCallSources(*call, sources);
  if (const auto* call = sql::As<sql::WindowCall>(node)) {
    // What the window is partitioned by, beside the unit, and ordered by shows in ranks.
    AddCallSources(call->function, sources);
    for (const Expression& part : call->window.partition_by) sources.push_back(part);
    for (const sql::OrderItem& item : call->window.order_by) sources.push_back(item.expression);
    return;
  }
  if (BareColumn(node) != nullptr) sources.push_back(node);
  for (const Expression& child : sql::Children(node)) AddValueSources(child, sources);
}

}  // namespace

std::vector<Expression> ValueSources(const Expression& item) {
  std::vector<Expression> sources;
  AddValueSources(item, sources);
  return sources;
}

void MarkBySources(const Known& known, const Expression& item, RowColumn& column) {
  for (const Expression& source : ValueSources(item)) {
    column.hidden = column.hidden || UsesHidden(known, source);
    column.is_unit = column.is_unit || UsesUnit(known, source);
  }
}

}  // namespace tacit::analysis
