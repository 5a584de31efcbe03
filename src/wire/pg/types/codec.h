#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// PostgreSQL's types on the wire. Inside the server a value is its text; binary is made of it, and
// read into it, here.

namespace tacit::wire::pg {

using Oid = uint32_t;

inline constexpr Oid kBool = 16, kBytea = 17, kChar = 18, kName = 19, kInt8 = 20, kInt2 = 21,
                     kInt4 = 23, kText = 25, kOid = 26, kJson = 114, kFloat4 = 700, kFloat8 = 701,
                     kUnknown = 705, kBpchar = 1042, kVarchar = 1043, kDate = 1082, kTime = 1083,
                     kTimestamp = 1114, kTimestampTz = 1184, kInterval = 1186, kNumeric = 1700,
                     kUuid = 2950, kJsonb = 3802;

// The type's length as RowDescription says it; -1 when it varies.
int16_t LengthOf(Oid type);

// The type of an answer's column by PostgreSQL's name ("numeric(12,2)"), and its modifier.
struct NamedType {
  Oid type = kText;
  int32_t modifier = -1;
};
NamedType TypeNamed(std::string_view name);

bool HasBinary(Oid type);

// kUnsupported for a type whose binary form is not known here, kInvalidArgument for a value that is
// none of the type.
Result<std::string> BinaryOf(Oid type, std::string_view text);
Result<std::string> TextOf(Oid type, std::string_view binary);

}  // namespace tacit::wire::pg
