#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/value.h"
#include "wire/oid.h"

// PostgreSQL's types on the wire: values of answers become bytes here. A parameter is a text inside
// the server, however it came; binary is read into it.

namespace tacit::wire::pg {

// The type's length as RowDescription says it; -1 when it varies.
int16_t LengthOf(Oid type);

bool HasBinary(Oid type);

// kUnsupported for a type whose binary form is not known here, kInvalidArgument for a value that is
// none of the type.
Result<std::string> BinaryOfValue(Oid type, const engine::Value& value);
Result<std::string> BinaryOf(Oid type, std::string_view text);
Result<std::string> TextOf(Oid type, std::string_view binary);

}  // namespace tacit::wire::pg
