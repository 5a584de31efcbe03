#include "answer/stored_type.h"

namespace tacit::answer {
namespace {

struct Code {
  TypeKind type;
  uint8_t kind;
  uint8_t bits;
};
constexpr Code kCodes[] = {
    {TypeKind::kBoolean, 0, 0},  {TypeKind::kSmallint, 1, 16}, {TypeKind::kInteger, 1, 32},
    {TypeKind::kBigint, 1, 64},  {TypeKind::kNumeric, 2, 0},   {TypeKind::kReal, 3, 32},
    {TypeKind::kDouble, 3, 64},  {TypeKind::kText, 4, 0},      {TypeKind::kDate, 5, 0},
    {TypeKind::kTime, 6, 0},     {TypeKind::kTimestamp, 7, 0}, {TypeKind::kTimestampTz, 8, 0},
    {TypeKind::kInterval, 9, 0}, {TypeKind::kUuid, 10, 0},     {TypeKind::kOpaque, 11, 0}};
constexpr Code kWithoutRules = {TypeKind::kOpaque, 11, 0};

}  // namespace

StoredType StoredTypeOf(const ValueType& type) {
  Code code = kWithoutRules;
  for (const Code& known : kCodes) {
    if (known.type == type.kind) code = known;
  }
  return {.kind = code.kind,
          .bits = code.bits,
          .precision = static_cast<uint8_t>(type.precision),
          .scale = static_cast<uint8_t>(type.scale)};
}

std::optional<ValueType> TypeOf(const StoredType& stored) {
  for (const Code& known : kCodes) {
    if (known.kind != stored.kind || known.bits != stored.bits) continue;
    return ValueType{.kind = known.type, .precision = stored.precision, .scale = stored.scale};
  }
  return std::nullopt;
}

}  // namespace tacit::answer
