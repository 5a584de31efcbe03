#include "generator.h"

namespace tacit::adversary {

// Ordinary values first, which occur in the data; then the ends of every type, and one beyond.
std::string Generator::Literal(Kind kind) {
  static const std::vector<std::string> ints = {"1",
                                                "0",
                                                "2",
                                                "10",
                                                "30",
                                                "33",
                                                "-1",
                                                "3",
                                                "7",
                                                "100",
                                                "2147483647",
                                                "-2147483648",
                                                "9223372036854775807",
                                                "9007199254740993",
                                                "32767",
                                                "-32768",
                                                "2147483648",
                                                "1000000000000"};
  static const std::vector<std::string> nums = {"1.5",
                                                "0.0",
                                                "0.10",
                                                "100.00",
                                                "-3.25",
                                                "0.000000000000000001",
                                                "99999999.99",
                                                "12345678901234567890.123456789",
                                                "9999999999999999999999999999.9999999999",
                                                "99999999999999999999999999999999999999",
                                                "170141183460469231731687303715884105727"};
  static const std::vector<std::string> reals = {"CAST(1.5 AS double precision)",
                                                 "1e0",
                                                 "0e0",
                                                 "-0e0",
                                                 "1e308",
                                                 "-1e308",
                                                 "1e-308",
                                                 "2.5e0",
                                                 "9007199254740993e0",
                                                 "1e15",
                                                 "CAST('NaN' AS double precision)",
                                                 "CAST('Infinity' AS double precision)",
                                                 "CAST(0.5 AS real)"};
  static const std::vector<std::string> texts = {
      "'a'",     "'n'",          "''",   "'N'",          "'F'",          "'name1'",
      "'1'",     "'2024-01-31'", "'é'",  "'x''y'",       "'%'",          "'9223372036854775808'",
      "'1e400'", "'true'",       "'-0'", "'0001-01-01'", "'99999-01-01'"};
  static const std::vector<std::string> dates = {"DATE '2024-02-01'", "DATE '2024-02-29'",
                                                 "DATE '0001-01-01'", "DATE '9999-12-31'",
                                                 "DATE '1990-05-17'", "DATE '1970-01-01'"};
  static const std::vector<std::string> times = {
      "TIMESTAMP '2024-03-01 10:00:00'", "TIMESTAMP '2024-04-01 00:00:00.000001'",
      "TIMESTAMP '0001-01-01 00:00:00'", "TIMESTAMP '9999-12-31 23:59:59.999999'"};
  static const std::vector<std::string> spans = {"INTERVAL '1 day'",
                                                 "INTERVAL '1 month'",
                                                 "INTERVAL '30 days'",
                                                 "INTERVAL '720 hours'",
                                                 "INTERVAL '1 year 2 months 3 days 04:05:06'",
                                                 "INTERVAL '9998 years'",
                                                 "INTERVAL '3650000 days'",
                                                 "INTERVAL '200000 years 74400000 days'",
                                                 "INTERVAL '-1 month'",
                                                 "INTERVAL '0 days'"};
  features_.Use("literal");
  switch (kind) {
    case Kind::kInt:
      return c_.Of(ints);
    case Kind::kNum:
      return c_.Of(nums);
    case Kind::kReal:
      return c_.Of(reals);
    case Kind::kText:
      return c_.Of(texts);
    case Kind::kBool:
      return c_.OneIn(2) ? "false" : "true";
    case Kind::kDate:
      return c_.Of(dates);
    case Kind::kTime:
      return c_.Of(times);
    case Kind::kSpan:
      return c_.Of(spans);
    case Kind::kZoned:
      return "TIMESTAMPTZ '2024-03-01 10:00:00+00'";
    case Kind::kUuid:
      return "CAST('00000000-0000-0000-0000-000000000001' AS uuid)";
    case Kind::kOther:
      break;
  }
  return "NULL";
}

std::string Generator::SmallNumber() { return std::to_string(c_.Below(6)); }

}  // namespace tacit::adversary
