#pragma once

#include <string>
#include <vector>

#include "sql/functions/function.h"

namespace tacit::sql::testing {

// A column of every type that a query can meet, as the engine stores it, with values at its edges.
struct EdgeColumn {
  std::string name;
  std::string stored;  // DuckDB's type
  Type type;           // the query's
  std::vector<std::string> values;
};

inline const std::vector<EdgeColumn>& EdgeColumns() {
  static const std::vector<EdgeColumn> all = {
      {"flag", "BOOLEAN", Simple(TypeKind::kBoolean), {"true", "false"}},
      {"i2", "SMALLINT", Simple(TypeKind::kSmallint), {"-32768", "-1", "0", "1", "32767"}},
      {"u1", "UTINYINT", Simple(TypeKind::kSmallint), {"0", "1", "255"}},
      {"i4",
       "INTEGER",
       Simple(TypeKind::kInteger),
       {"-2147483648", "-1", "0", "1", "2", "2000000000", "2147483647"}},
      {"u4", "UINTEGER", Simple(TypeKind::kBigint), {"0", "1", "4294967295"}},
      {"i8",
       "BIGINT",
       Simple(TypeKind::kBigint),
       {"-9223372036854775808", "-1", "0", "1", "5000000000", "9223372036854775807"}},
      {"u8", "UBIGINT", Numeric(20, 0), {"0", "1", "18446744073709551615"}},
      {"n2", "DECIMAL(10,2)", Numeric(10, 2), {"-99999999.99", "-0.01", "0", "2.5", "99999999.99"}},
      {"n38",
       "DECIMAL(38,0)",
       Numeric(38, 0),
       {"'-99999999999999999999999999999999999999'", "-1", "0",
        "'99999999999999999999999999999999999999'"}},
      {"n37",
       "DECIMAL(38,37)",
       Numeric(38, 37),
       {"'-9.9999999999999999999999999999999999999'", "0", "0.5",
        "'9.9999999999999999999999999999999999999'"}},
      {"f4",
       "REAL",
       Simple(TypeKind::kReal),
       {"'nan'", "'inf'", "'-inf'", "0", "'-0.0'", "-0.5", "1e-45", "3.4e38"}},
      {"f8",
       "DOUBLE",
       Simple(TypeKind::kDouble),
       {"'nan'", "'inf'", "'-inf'", "0", "'-0.0'", "-1", "2.5", "5e-324", "2.2e-308",
        "1.7976931348623157e308", "-1.7976931348623157e308", "1e18"}},
      {"s",
       "VARCHAR",
       Simple(TypeKind::kText),
       {"''",
        "' '",
        "'a'",
        "'A'",
        "'%'",
        "'\\'",
        "'12'",
        "'-0'",
        "'-9223372036854775809'",
        "'1e400'",
        "'-1e308'",
        "'1.5'",
        "'nan'",
        "'infinity'",
        "'true'",
        "'2020-02-30'",
        "'2020-02-29'",
        "'2016-12-31 23:59:60'",
        "'9999-12-31 23:59:59.999999'",
        "'99999999999999999999999999999999999999'",
        "'héllo wörld 😀'",
        "'e' || chr(769)",
        "chr(0)",
        "'a' || chr(0) || 'b'",
        "repeat('ab_%', 2000)",
        "'''\"; --'"}},
      {"e", "ENUM('b', 'a', '12')", Simple(TypeKind::kText), {"'b'", "'a'", "'12'"}},
      {"d",
       "DATE",
       Simple(TypeKind::kDate),
       {"'infinity'", "'-infinity'", "'5881580-07-10'", "'5877642-06-25 (BC)'", "'0001-01-01'",
        "'9999-12-31'", "'2020-02-29'"}},
      {"ts",
       "TIMESTAMP",
       Simple(TypeKind::kTimestamp),
       {"'infinity'", "'-infinity'", "'294247-01-10 04:00:54.775806'",
        "'290309-12-22 (BC) 00:00:00'", "'0001-01-01'", "'9999-12-31 23:59:59.999999'",
        "'2020-02-29 12:34:56.789'"}},
      {"tz",
       "TIMESTAMPTZ",
       Simple(TypeKind::kTimestampTz),
       {"'infinity'", "'0001-01-01 00:00:00+00'", "'9999-12-31 23:59:59+00'"}},
      {"span",
       "INTERVAL",
       Simple(TypeKind::kInterval),
       {"'0 days'", "'1 month'", "'30 days'", "'720 hours'", "'-1 day'", "'-24 hours'",
        "'2147483647 months'", "'-2147483648 months'", "'2147483647 days'", "'-2147483648 days'",
        "'2147483647 months 2147483647 days'", "'100000000 hours'"}},
      {"id",
       "UUID",
       Simple(TypeKind::kUuid),
       {"'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"}}};
  return all;
}

// Written in queries; those that the parser refuses are passed over.
inline const std::vector<std::string>& EdgeLiterals() {
  static const std::vector<std::string> all = {"2",
                                               "-1",
                                               "0",
                                               "5",
                                               "1000",
                                               "2147483647",
                                               "9223372036854775807",
                                               "1.5",
                                               "0.000001",
                                               "1e308",
                                               "-1e308",
                                               "1e400",
                                               "99999999999999999999999999999999999999",
                                               "'a'",
                                               "''",
                                               "'12'",
                                               "'a%b_'",
                                               "'%a%'",
                                               "'year'",
                                               "'epoch'",
                                               "'second'",
                                               "'month'",
                                               "'week'",
                                               "NULL",
                                               "true",
                                               "DATE '0001-01-01'",
                                               "DATE '9999-12-31'",
                                               "TIMESTAMP '2020-01-01'",
                                               "TIMESTAMP '9999-12-31 23:59:59.999999'",
                                               "INTERVAL '1 month -3 days'",
                                               "INTERVAL '200000 years'",
                                               "INTERVAL '-200000 years'",
                                               "INTERVAL '74400000 days'",
                                               "INTERVAL '200000 years 74400000 days'",
                                               "INTERVAL '-200000 years -74400000 days'"};
  return all;
}

}  // namespace tacit::sql::testing
