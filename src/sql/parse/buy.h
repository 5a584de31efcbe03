#pragma once

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {

// The query of SELECT * FROM tacit.buy('...'), as sql/buy.h says it; nothing for any other SELECT.
std::optional<Query> ConvertBuy(const Node& node);

}  // namespace tacit::sql::grammar
