#pragma once

#include <string>
#include <vector>

#include "sql/tree.h"

// Pieces that the canonical printers of expressions and of queries share.
namespace tacit::sql::canonical {

std::string List(const std::vector<Expression>& expressions);
std::string OrderText(const std::vector<OrderItem>& items);  // with ORDER BY; empty for no items
std::string Aggregate(const AggregateCall& call);
std::string WindowText(const Window& window);  // without the parentheses

}  // namespace tacit::sql::canonical
