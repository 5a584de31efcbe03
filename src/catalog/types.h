#pragma once

#include <string>
#include <string_view>

#include "base/value_type.h"
#include "catalog/facts.h"

// PostgreSQL's types by number, and what holds their values in the catalog's DuckDB.

namespace tacit::catalog {

namespace oid {
inline constexpr Oid kBool = 16, kBytea = 17, kChar = 18, kName = 19, kInt8 = 20, kInt2 = 21,
                     kInt2Vector = 22, kInt4 = 23, kRegproc = 24, kText = 25, kOid = 26, kXid = 28,
                     kOidVector = 30, kJson = 114, kFloat4 = 700, kFloat8 = 701, kUnknown = 705,
                     kAclItem = 1033, kBpchar = 1042, kVarchar = 1043, kDate = 1082, kTime = 1083,
                     kTimestamp = 1114, kTimestampTz = 1184, kInterval = 1186, kNumeric = 1700,
                     kRegprocedure = 2202, kRegclass = 2205, kRegtype = 2206, kRecord = 2249,
                     kAnyArray = 2277, kVoid = 2278, kUuid = 2950, kRegnamespace = 4089,
                     kRegrole = 4096, kNameArray = 1003, kTextArray = 1009, kOidArray = 1028;
}  // namespace oid

struct TypeFacts {
  Oid oid = 0;
  std::string schema;
  std::string name;
  int16_t length = -1;
  bool by_value = false;
  char category = 'X';
  Oid relation = 0;
  Oid element = 0;
  Oid array = 0;
  char alignment = 'i';
  char storage = 'p';
  Oid collation = 0;
};

// Nothing for a number that no system type has.
const TypeFacts* FindType(Oid type);
// By PostgreSQL's own name of it (int4, text, pg_class) and, without a schema, "char" as char.
const TypeFacts* FindTypeNamed(std::string_view name);

// As format_type prints it; modifier -2 stands for NULL.
std::string FormatType(Oid type, int64_t modifier);
// Reads what FormatType prints, and the internal names: "integer", "int4", "text[]". 0: none.
Oid ParseTypeName(std::string_view text);

bool IsArray(Oid type);   // also int2vector and oidvector
bool IsVector(Oid type);  // those two count from 0 and print with spaces
Oid ElementOf(Oid type);
Oid ArrayOf(Oid element);
bool IsText(Oid type);      // held as VARCHAR and compared as text
bool IsRegistry(Oid type);  // regclass, regtype, ...: a number that prints as a name
bool IsWhole(Oid type);     // integers and object numbers
bool IsNumber(Oid type);

// The type of DuckDB that holds its values.
std::string StoredAs(Oid type);

// A column of the owner's database as PostgreSQL would describe it.
struct TypeAndModifier {
  Oid type = 0;
  int32_t modifier = -1;
};
TypeAndModifier TypeOf(const ValueType& type);

}  // namespace tacit::catalog
