#include <array>

#include "sql/functions/function.h"

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
constexpr std::array<Field, 16> kFields = {{{"year", 1, 9999, false},
                                            {"isoyear", 0, 10000, false},
                                            {"quarter", 1, 4, false},
                                            {"month", 1, 12, false},
                                            {"week", 1, 53, false},
                                            {"day", 1, 31, false},
                                            {"dow", 0, 6, false},
                                            {"isodow", 1, 7, false},
                                            {"doy", 1, 366, false},
                                            {"hour", 0, 23, false},
                                            {"minute", 0, 59, false},
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

bool IsInstant(const Type& type) {
  return type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp;
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
  return Signature{{kTextType, kTimestampType}, kTimestampType};
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
  if (field != nullptr && (!interval || field->of_interval)) return "";
  if (interval) return "only epoch can be taken from an interval";
  return "the field must be one of year, isoyear, quarter, month, week, day, dow, isodow, doy, "
         "hour, minute, second, microsecond, decade, century, epoch";
}

std::string ComplainTrunc(const Arguments& arguments) {
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
  return field == "epoch" ? result : Numeric(10, 0);
}

Range RangeExtract(const Arguments& arguments, const Type&) {
  const Field* field = FindField(arguments[0]);
  if (field == nullptr || field->low == field->high) return {};
  return {.low = Rational(field->low), .high = Rational(field->high)};
}

constexpr Totality kInCalendar{
    "the years 1 to 9999, and intervals of up to 200,000 years, in which a month has 30 days",
    "CASE WHEN x BETWEEN the first and the last day, or the longest intervals", "NULL"};
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
  return {extract, Make("date_part", kInCalendar, 2, SignDatePart, ComplainExtract, RangeExtract),
          Make("date_trunc", kInCalendar, 2, SignTrunc, ComplainTrunc, nullptr),
          Make("make_date", kExisting, 3, SignMakeDate, nullptr, nullptr)};
}

}  // namespace tacit::sql
