#pragma once

#include <optional>
#include <string>

#include "base/value_type.h"
#include "engine/trino/connection/page.h"
#include "engine/value.h"

namespace tacit::engine::trino {

// Whether Trino's word names that type, as far as statements give it.
bool IsNameOf(const std::string& word, const ValueType& type);
// Of a computed column; nothing for what no statement gives.
std::optional<ValueType> TypeOfName(const std::string& word);

// Nothing where the cell is none of that type: a server that answers so is not believed.
std::optional<Value> ReadValue(const Cell& cell, const ValueType& type);
std::optional<Int128> ReadWhole(const Cell& cell);  // of a decimal without digits behind its point

}  // namespace tacit::engine::trino
