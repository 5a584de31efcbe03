#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wire/pg/types/codec.h"

// The codecs of single types. Internal to wire/pg/types: a value that is none of the type is
// nothing.

namespace tacit::wire::pg {

// Big-endian integers of 2, 4 or 8 bytes.
std::string BytesOf(int64_t value, size_t bytes);
std::optional<int64_t> IntegerOf(std::string_view bytes, size_t expected);
std::optional<int64_t> ParseInteger(std::string_view text, int64_t least, int64_t most);

// Texts under many names: their binary form is the text.
bool IsTextLike(Oid type);
// Object identifiers under many names: 4 bytes, unsigned.
bool IsOidLike(Oid type);

std::string FloatBinary(double value);
std::string FloatBinary(float value);

std::string NumericBinary(const engine::Numeric& value);
std::optional<std::string> NumericBinary(std::string_view text);
std::optional<std::string> NumericText(std::string_view binary);

std::optional<std::string> DateBinary(const engine::Date& value);
std::optional<std::string> DateBinary(std::string_view text);
std::optional<std::string> DateText(std::string_view binary);
std::optional<std::string> TimeBinary(const engine::Time& value);
std::optional<std::string> TimeBinary(std::string_view text);
std::optional<std::string> TimeText(std::string_view binary);
std::optional<std::string> TimestampBinary(const engine::Timestamp& value);
std::optional<std::string> TimestampBinary(std::string_view text);
std::optional<std::string> TimestampText(std::string_view binary, bool with_zone);
std::string IntervalBinary(const engine::Interval& value);
std::optional<std::string> IntervalBinary(std::string_view text);
std::optional<std::string> IntervalText(std::string_view binary);

// The type of an array's elements; nothing for what is no array, or none with a binary form.
std::optional<Oid> ElementOf(Oid type);
Result<std::string> ArrayBinary(Oid element, std::string_view text);
Result<std::string> ArrayText(Oid element, std::string_view binary);

Error NotAValue(Oid type);

}  // namespace tacit::wire::pg
