#pragma once

#include <cstdint>
#include <optional>

#include "sql/bind/bind.h"

namespace tacit::sql {

// How many characters a text can have, where the query itself says so: left(x, 20), CASE with
// literals, and what is made of such.
std::optional<int64_t> LengthLimit(const Bound& text);

}  // namespace tacit::sql
