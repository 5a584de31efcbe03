#pragma once

#include <optional>
#include <string>

#include "sql/tree.h"

namespace tacit::sql {

// SELECT * FROM tacit.buy('...; ...') comes as SELECT tacit.buy('...; ...'): a call by a name with
// a dot, which no other text gives.
inline constexpr char kBuyFunction[] = "tacit.buy";

// The questions that the query buys; nothing for any other query.
std::optional<std::string> BoughtText(const Query& query);

}  // namespace tacit::sql
