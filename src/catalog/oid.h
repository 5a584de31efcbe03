#pragma once

#include <cstdint>
#include <string>

namespace tacit::catalog {

using Oid = uint32_t;  // PostgreSQL's numbers of types and other objects

// The types that are called by name anywhere in the program; catalog/types.h knows all of them.
namespace oid {
inline constexpr Oid kBool = 16, kBytea = 17, kChar = 18, kName = 19, kInt8 = 20, kInt2 = 21,
                     kInt2Vector = 22, kInt4 = 23, kRegproc = 24, kText = 25, kOid = 26, kXid = 28,
                     kCid = 29, kOidVector = 30, kJson = 114, kPgNodeTree = 194, kPoint = 600,
                     kFloat4 = 700, kFloat8 = 701, kUnknown = 705, kAclItem = 1033, kBpchar = 1042,
                     kVarchar = 1043, kDate = 1082, kTime = 1083, kTimestamp = 1114,
                     kTimestampTz = 1184, kInterval = 1186, kTimeTz = 1266, kBit = 1560,
                     kVarbit = 1562, kNumeric = 1700, kRegprocedure = 2202, kRegoper = 2203,
                     kRegoperator = 2204, kRegclass = 2205, kRegtype = 2206, kRecord = 2249,
                     kCstring = 2275, kAnyArray = 2277, kVoid = 2278, kUuid = 2950,
                     kRegconfig = 3734, kRegdictionary = 3769, kJsonb = 3802, kRegnamespace = 4089,
                     kRegrole = 4096, kRegcollation = 4191;
inline constexpr Oid kNameArray = 1003, kInt4Array = 1007, kTextArray = 1009, kInt8Array = 1016,
                     kPointArray = 1017, kFloat8Array = 1022, kOidArray = 1028,
                     kNumericArray = 1231;
}  // namespace oid

// A column as PostgreSQL's clients are told of it.
struct OidColumn {
  std::string name;
  Oid type = oid::kText;
  int32_t modifier = -1;  // atttypmod: the length of a varchar, ...
  friend bool operator==(const OidColumn&, const OidColumn&) = default;
};

}  // namespace tacit::catalog
