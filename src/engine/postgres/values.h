#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value_type.h"
#include "engine/value.h"

namespace tacit::engine::postgres {

// PostgreSQL's numbers of types, as far as statements give them.
bool IsNumberOf(unsigned oid, const ValueType& type);

// What an unknown server calls a type, for public tables; nothing for what no column has.
std::optional<ValueType> TypeOfNumber(unsigned oid);

// A cell in PostgreSQL's binary form. Nothing where the bytes are none of that type: a server that
// answers so is not believed.
std::optional<Value> ReadValue(std::string_view bytes, const ValueType& type);
std::optional<Int128> ReadWhole(std::string_view bytes);  // of a numeric

// In PostgreSQL's text form, for a parameter. NULL is nothing.
std::optional<std::string> ParameterText(const Value& value);

}  // namespace tacit::engine::postgres
