#include <limits>

#include "wire/pg/types/parts.h"

// Binary forms of values, without a text between.

namespace tacit::wire::pg {
namespace {

// Nothing: the value is none of the type.
using Binary = std::optional<std::string>;
// Nothing: a value of another kind, and perhaps its text is one of the type.
using Direct = std::optional<Binary>;

Direct ByItsText() { return std::nullopt; }
Direct Wrong() { return Binary(); }

Direct InBytes(Int128 whole, Int128 least, Int128 most, size_t bytes) {
  if (whole < least || whole > most) return Wrong();
  return BytesOf(static_cast<int64_t>(whole), bytes);
}

template <class T>
Direct AsSigned(Int128 whole) {
  using Limits = std::numeric_limits<T>;
  return InBytes(whole, Limits::min(), Limits::max(), sizeof(T));
}

Direct Whole(Oid type, Int128 value) {
  if (IsOidLike(type)) return InBytes(value, 0, UINT32_MAX, 4);
  switch (type) {
    case oid::kInt2:
      return AsSigned<int16_t>(value);
    case oid::kInt4:
      return AsSigned<int32_t>(value);
    case oid::kInt8:
      return AsSigned<int64_t>(value);
    case oid::kNumeric:
      return NumericBinary(engine::Numeric{value, 0});
    default:
      return ByItsText();
  }
}

Direct Of(Oid, std::monostate) { return ByItsText(); }
Direct Of(Oid, const std::string&) { return ByItsText(); }

Direct Of(Oid type, bool value) {
  if (type != oid::kBool) return ByItsText();
  return BytesOf(value ? 1 : 0, 1);
}

Direct Of(Oid type, int64_t value) { return Whole(type, value); }

Direct Of(Oid type, const engine::Numeric& value) {
  if (type == oid::kNumeric) return NumericBinary(value);
  return value.scale == 0 ? Whole(type, value.unscaled) : ByItsText();
}

Direct Of(Oid type, double value) {
  if (type == oid::kFloat8) return FloatBinary(value);
  if (type == oid::kFloat4) return FloatBinary(static_cast<float>(value));
  return ByItsText();
}

Direct Of(Oid type, const engine::Date& value) {
  return type == oid::kDate ? DateBinary(value) : ByItsText();
}

Direct Of(Oid type, const engine::Time& value) {
  return type == oid::kTime ? TimeBinary(value) : ByItsText();
}

Direct Of(Oid type, const engine::Timestamp& value) {
  const bool is_one = type == oid::kTimestamp || type == oid::kTimestampTz;
  return is_one ? TimestampBinary(value) : ByItsText();
}

Direct Of(Oid type, const engine::Interval& value) {
  return type == oid::kInterval ? IntervalBinary(value) : ByItsText();
}

}  // namespace

Result<std::string> BinaryOfValue(Oid type, const engine::Value& value) {
  const Direct direct = std::visit([&](const auto& held) { return Of(type, held); }, value);
  if (!direct) return BinaryOf(type, engine::ToText(value));
  if (!*direct) return NotAValue(type);
  return **direct;
}

}  // namespace tacit::wire::pg
