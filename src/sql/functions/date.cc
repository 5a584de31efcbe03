#include <array>

#include "sql/functions/function.h"
#include "sql/functions/patterns/pattern.h"
#include "sql/functions/time_zones.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

struct Field {
  std::string_view name;
  int low;
  int high;
  bool of_interval;
};
// Dates that take part in arithmetic lie in the years 1 to 9999.
constexpr std::array<Field, 16> kFields = {{{"year", 1, 9999, true},
                                            {"isoyear", 0, 10000, false},
                                            {"quarter", 1, 4, false},
                                            {"month", 1, 12, true},
                                            {"week", 1, 53, false},
                                            {"day", 1, 31, true},
                                            {"dow", 0, 6, false},
                                            {"isodow", 1, 7, false},
                                            {"doy", 1, 366, false},
                                            {"hour", 0, 23, true},
                                            {"minute", 0, 59, true},
                                            {"second", 0, 60, false},
                                            {"microsecond", 0, 60'000'000, false},
                                            {"decade", 0, 999, false},
                                            {"century", 1, 100, false},
                                            {"epoch", 0, 0, true}}};

constexpr std::array<std::string_view, 11> kTruncations = {
    "microsecond", "millisecond", "second",  "minute", "hour",  "day",
    "week",        "month",       "quarter", "year",   "decade"};

const Field* FindField(const Argument& argument) {
  if (argument.literal == nullptr) return nullptr;
  for (const Field& field : kFields) {
    if (argument.literal->text == field.name) return &field;
  }
  return nullptr;
}

// A text that is a literal or has yet to become one.
bool IsWord(const Type& type) {
  return type.kind == TypeKind::kText || type.kind == TypeKind::kUnknown;
}

Signed SignExtract(const Types& types) {
  if (types[1].kind == TypeKind::kInterval) return Signature{{kTextType, types[1]}, Numeric(26, 6)};
  if (!IsInstant(types[1])) return std::nullopt;
  return Signature{{kTextType, kTimestampType}, Numeric(26, 6)};
}
Signed SignDatePart(const Types& types) {
  std::optional<Signature> signature = SignExtract(types);
  if (signature) signature->result = kDoubleType;
  return signature;
}
Signed SignTrunc(const Types& types) {
  if (!IsInstant(types[1])) return std::nullopt;
  const bool zoned = types[1].kind == TypeKind::kTimestampTz;
  if (types.size() == 3) {
    if (!zoned || !IsWord(types[2])) return std::nullopt;
    return Signature{{kTextType, types[1], kTextType}, types[1]};
  }
  const Type instant = zoned ? types[1] : kTimestampType;
  return Signature{{kTextType, instant}, instant};
}
// x AT TIME ZONE 'Europe/Berlin'
Signed SignZone(const Types& types) {
  if (!IsWord(types[0]) || !IsInstant(types[1])) return std::nullopt;
  const Type zoned = Simple(TypeKind::kTimestampTz);
  if (types[1] == zoned) return Signature{{kTextType, zoned}, kTimestampType};
  return Signature{{kTextType, kTimestampType}, zoned};
}
Signed SignToChar(const Types& types) {
  if (!IsInstant(types[0]) || !IsWord(types[1])) return std::nullopt;
  return Signature{{kTimestampType, kTextType}, kTextType};
}
Signed SignBin(const Types& types) {
  if (types[0].kind != TypeKind::kInterval && !IsWord(types[0])) return std::nullopt;
  if (!IsInstant(types[1]) || (!IsInstant(types[2]) && !IsWord(types[2]))) return std::nullopt;
  // Instants are binned as they are, from an instant on.
  const bool zoned = types[1].kind == TypeKind::kTimestampTz;
  const Type instant = zoned ? types[1] : kTimestampType;
  return Signature{{kIntervalType, instant, instant}, instant};
}
Signed SignAge(const Types& types) {
  if (!IsInstant(types[0]) || !IsInstant(types[1])) return std::nullopt;
  return Signature{{kTimestampType, kTimestampType}, kIntervalType};
}
Signed SignMakeDate(const Types& types) {
  for (const Type& type : types) {
    if (type.kind != TypeKind::kInteger && type.kind != TypeKind::kSmallint) return std::nullopt;
  }
  return Signature{{kIntegerType, kIntegerType, kIntegerType}, Simple(TypeKind::kDate)};
}

std::string ComplainExtract(const Arguments& arguments) {
  const Field* field = FindField(arguments[0]);
  const bool interval = arguments[1].type.kind == TypeKind::kInterval;
  // Intervals that are equal may be written in different parts: only their length is looked at.
  const bool part =
      field != nullptr && field->of_interval && (arguments[1].is_age || field->name == "epoch");
  if (field != nullptr && (!interval || part)) return "";
  if (interval) {
    return "of an interval epoch can be taken, and of a - b and age(a, b) year, month, day, hour "
           "and minute";
  }
  return "the field must be one of year, isoyear, quarter, month, week, day, dow, isodow, doy, "
         "hour, minute, second, microsecond, decade, century, epoch";
}

bool NamesZone(const Argument& argument) {
  return argument.literal != nullptr && IsTimeZone(argument.literal->text);
}
constexpr char kZoneWanted[] =
    "the time zone must be a literal such as 'UTC' or 'Europe/Berlin', spelled as in the IANA "
    "database";

std::string ComplainZone(const Arguments& arguments) {
  return NamesZone(arguments[0]) ? "" : kZoneWanted;
}

std::string ComplainToChar(const Arguments& arguments) {
  const Literal* pattern = arguments[1].literal;
  if (pattern != nullptr && pattern->kind == LiteralKind::kString && TimePartsOf(pattern->text)) {
    return "";
  }
  return "the pattern must be a literal of YYYY, YY, IYYY, Q, MM, Mon, Month, DD, DDD, Dy, Day, "
         "ID, IW, HH24, HH12, MI, SS, MS, US, AM, FM, and what stands between them";
}

// Why a day's microseconds as the least: anything that is above 0 will do; months have no length.
std::string ComplainBin(const Arguments& arguments) {
  const Literal* stride = arguments[0].literal;
  const Literal* origin = arguments[2].literal;
  if (stride == nullptr || stride->kind != LiteralKind::kInterval || stride->interval.months != 0 ||
      stride->interval.days < 0 || stride->interval.days > 1'000'000 ||
      stride->interval.microseconds < 0 ||
      (stride->interval.days == 0 && stride->interval.microseconds == 0) || origin == nullptr) {
    return "the stride must be a literal of days and times, such as INTERVAL '15 minutes', and the "
           "origin a literal timestamp";
  }
  return "";
}

std::string ComplainTrunc(const Arguments& arguments) {
  if (arguments.size() == 3 && !NamesZone(arguments[2])) return kZoneWanted;
  for (const std::string_view name : kTruncations) {
    if (arguments[0].literal != nullptr && arguments[0].literal->text == name) return "";
  }
  return "the unit must be one of microsecond, millisecond, second, minute, hour, day, week, "
         "month, quarter, year, decade";
}

Type RefineExtract(const Arguments& arguments, const Type& result) {
  if (result.kind != TypeKind::kNumeric) return result;
  const std::string& field = arguments[0].literal->text;
  if (field == "second") return Numeric(8, 6);
  if (arguments[1].type.kind == TypeKind::kInterval && field == "hour") return Numeric(18, 0);
  return field == "epoch" ? result : Numeric(10, 0);
}

Range RangeExtract(const Arguments& arguments, const Type&) {
  const Field* field = FindField(arguments[0]);
  if (field == nullptr || field->low == field->high) return {};
  if (arguments[1].type.kind == TypeKind::kInterval) {
    const int most = field->name == "month"    ? 11
                     : field->name == "hour"   ? 23
                     : field->name == "minute" ? 59
                                               : 0;
    if (most == 0) return {};
    return {.low = Rational(-most), .high = Rational(most)};
  }
  return {.low = Rational(field->low), .high = Rational(field->high)};
}

// Seconds since 1970. Of a text by a pattern it is a constant, or refused.
Signed SignToTimestamp(const Types& types) {
  const Type zoned = Simple(TypeKind::kTimestampTz);
  if (types.size() == 2) {
    if (!IsWord(types[0]) || !IsWord(types[1])) return std::nullopt;
    return Signature{{kTextType, kTextType}, zoned};
  }
  if (!types[0].IsNumber()) return std::nullopt;
  return Signature{{kDoubleType}, zoned};
}
std::string ComplainToTimestamp(const Arguments& arguments) {
  if (arguments.size() == 1) return "";
  return "the text must be a literal that fits the pattern; of a column write CAST(x AS timestamp)";
}

constexpr Totality kEpoch{"seconds of the years 1 to 9999",
                          "CASE WHEN x BETWEEN the first and the last second", "NULL"};
constexpr Totality kInCalendar{
    "the years 1 to 9999, and intervals of up to 200,000 years, in which a month has 30 days",
    "CASE WHEN x BETWEEN the first and the last day, or the longest intervals", "NULL"};
constexpr Totality kZoned{"the years 1 to 9999, and zones of the IANA database as literals",
                          "CASE WHEN x BETWEEN the first and the last day, before and after",
                          "NULL"};
constexpr Totality kWrittenTime{
    "the years 1 to 9999, and patterns, strides and origins as literals",
    "CASE WHEN x BETWEEN the first and the last day", "NULL"};
constexpr Totality kBothInCalendar{
    "the years 1 to 9999", "CASE WHEN x BETWEEN the first and the last day, of both", "NULL"};
constexpr Totality kExisting{"days that exist, of the years 1 to 9999",
                             "the year by range, the day by a cast that may fail", "NULL"};

Function Make(std::string_view name, const Totality& totality, int count,
              Signed (*sign)(const Types&), std::string (*complain)(const Arguments&),
              Range (*range)(const Arguments&, const Type&)) {
  return Function{.name = name,
                  .family = "date",
                  .totality = totality,
                  .arguments_min = count,
                  .arguments_max = count,
                  .sign = sign,
                  .complain = complain,
                  .refine = nullptr,
                  .range = range};
}

}  // namespace

std::vector<Function> DateFunctions() {
  Function extract = Make("extract", kInCalendar, 2, SignExtract, ComplainExtract, RangeExtract);
  extract.refine = RefineExtract;
  Function epoch = Make("to_timestamp", kEpoch, 1, SignToTimestamp, ComplainToTimestamp, nullptr);
  epoch.arguments_max = 2;
  Function trunc = Make("date_trunc", kInCalendar, 2, SignTrunc, ComplainTrunc, nullptr);
  trunc.arguments_max = 3;
  return {extract,
          Make("date_part", kInCalendar, 2, SignDatePart, ComplainExtract, RangeExtract),
          trunc,
          Make("timezone", kZoned, 2, SignZone, ComplainZone, nullptr),
          Make("to_char", kWrittenTime, 2, SignToChar, ComplainToChar, nullptr),
          Make("date_bin", kWrittenTime, 3, SignBin, ComplainBin, nullptr),
          Make("age", kBothInCalendar, 2, SignAge, nullptr, nullptr),
          epoch,
          Make("make_date", kExisting, 3, SignMakeDate, nullptr, nullptr)};
}

}  // namespace tacit::sql
