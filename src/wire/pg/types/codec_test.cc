#include "wire/pg/types/codec.h"

#include <gtest/gtest.h>

#include <limits>

namespace tacit::wire::pg {
namespace {

std::string Hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

struct Known {
  Oid type;
  const char* text;
  const char* binary;  // as PostgreSQL 15 sends it
};

TEST(Codec, BinaryIsWhatPostgresSends) {
  const Known known[] = {
      {oid::kBool, "t", "01"},
      {oid::kInt2, "-2", "fffe"},
      {oid::kInt4, "2147483647", "7fffffff"},
      {oid::kInt8, "-1", "ffffffffffffffff"},
      {oid::kOid, "4294967295", "ffffffff"},
      {oid::kFloat8, "1.5", "3ff8000000000000"},
      {oid::kFloat4, "0.1", "3dcccccd"},
      {oid::kText, "abc", "616263"},
      {oid::kBytea, "\\x00ff", "00ff"},
      {oid::kDate, "2000-01-01", "00000000"},
      {oid::kDate, "1999-12-31", "ffffffff"},
      {oid::kDate, "infinity", "7fffffff"},
      {oid::kTime, "00:00:01.5", "000000000016e360"},
      {oid::kTimestamp, "2000-01-01 00:00:00.000001", "0000000000000001"},
      {oid::kTimestampTz, "2000-01-01 00:00:00+00", "0000000000000000"},
      {oid::kInterval, "1 mon 2 days 00:00:00.000003", "00000000000000030000000200000001"},
      {oid::kNumeric, "0", "0000000000000000"},
      {oid::kNumeric, "12345.678", "0003000100000003000109291a7c"},
      {oid::kNumeric, "-0.0001", "0001ffff400000040001"},
      {oid::kNumeric, "10000", "00010001000000000001"},
      {oid::kNumeric, "NaN", "00000000c0000000"},
      {oid::kUuid, "00112233-4455-6677-8899-aabbccddeeff", "00112233445566778899aabbccddeeff"},
      {oid::kJsonb, "{}", "017b7d"},
      {oid::kInt4Array, "{1,NULL}",
       "0000000100000001000000170000000200000001"
       "0000000400000001ffffffff"},
      {oid::kTextArray, "{}", "000000000000000000000019"},
  };
  for (const Known& one : known) {
    const auto binary = BinaryOf(one.type, one.text);
    ASSERT_TRUE(binary.ok()) << one.text;
    EXPECT_EQ(Hex(*binary), one.binary) << one.text;
    const auto text = TextOf(one.type, *binary);
    ASSERT_TRUE(text.ok()) << one.text;
    EXPECT_EQ(*text, one.text);
  }
}

TEST(Codec, BinaryOfAValueIsThatOfItsText) {
  using engine::Date, engine::Interval, engine::Numeric, engine::Time, engine::Timestamp,
      engine::Value;
  constexpr int64_t kDay = int64_t{86'400} * 1'000'000;
  std::vector<std::pair<Oid, Value>> cells = {
      {oid::kBool, true},
      {oid::kBool, false},
      {oid::kText, true},
      {oid::kInt2, int64_t{-32768}},
      {oid::kInt4, int64_t{2147483647}},
      {oid::kInt8, std::numeric_limits<int64_t>::min()},
      {oid::kOid, int64_t{4294967295}},
      {oid::kNumeric, int64_t{-10000}},
      {oid::kFloat8, int64_t{7}},
      {oid::kText, int64_t{7}},
      {oid::kInt8, Numeric{-5, 0}},
      {oid::kFloat8, Numeric{125, 2}},
      {oid::kFloat8, 0.1},
      {oid::kFloat8, -0.0},
      {oid::kFloat8, std::numeric_limits<double>::infinity()},
      {oid::kFloat8, std::numeric_limits<double>::denorm_min()},
      {oid::kFloat4, 0.10000000149011612},
      {oid::kNumeric, 0.25},
      {oid::kText, "abc"},
      {oid::kUuid, "00112233-4455-6677-8899-aabbccddeeff"},
      {oid::kFloat8Array, "{1.5,NULL}"},
      {oid::kDate, Date{0}},
      {oid::kDate, Date{-719162}},
      {oid::kDate, Date{std::numeric_limits<int32_t>::max()}},
      {oid::kDate, Date{-std::numeric_limits<int32_t>::max()}},
      {oid::kTimestamp, Date{19782}},
      {oid::kTime, Time{0}},
      {oid::kTime, Time{kDay - 1}},
      {oid::kTimestamp, Timestamp{-1, false}},
      {oid::kTimestampTz, Timestamp{kDay, true}},
      {oid::kTimestamp, Timestamp{std::numeric_limits<int64_t>::max(), false}},
      {oid::kTimestamp, Timestamp{-std::numeric_limits<int64_t>::max(), false}},
      {oid::kInterval, Interval{14, -3, 1}},
      {oid::kInterval, Interval{-14, 3, -kDay}},
  };
  for (const Int128 unscaled :
       {Int128{0}, Int128{1}, Int128{-1}, Int128{10}, Int128{9999}, Int128{10000},
        Int128{-12345678}, Int128{100000000}, kInt128Max, kInt128Min}) {
    for (int scale = 0; scale <= 38; ++scale) {
      cells.push_back({oid::kNumeric, Numeric{unscaled, scale}});
    }
  }
  for (const auto& [type, value] : cells) {
    const auto from_text = BinaryOf(type, engine::ToText(value));
    const auto from_value = BinaryOfValue(type, value);
    ASSERT_TRUE(from_text.ok() && from_value.ok()) << type << " " << engine::ToText(value);
    EXPECT_EQ(Hex(*from_value), Hex(*from_text)) << type << " " << engine::ToText(value);
  }
}

TEST(Codec, AValueThatItsTypeCannotHoldIsRefused) {
  using engine::Date, engine::Numeric, engine::Time, engine::Timestamp, engine::Value;
  const std::pair<Oid, Value> wrong[] = {
      {oid::kInt2, int64_t{32768}},
      {oid::kInt4, int64_t{-2147483649}},
      {oid::kInt8, Numeric{kInt128Max, 0}},
      {oid::kInt8, Numeric{5, 1}},
      {oid::kOid, int64_t{-1}},
      {oid::kInt8, 0.5},
      {oid::kBool, int64_t{2}},
      {oid::kDate, Date{-std::numeric_limits<int32_t>::max() + 1}},
      {oid::kTime, Time{-1}},
      {oid::kTimestamp, Timestamp{std::numeric_limits<int64_t>::min() + 1'000, false}},
      {oid::kInt4Array, int64_t{1}},
      {oid::kInt4, "x"}};
  for (const auto& [type, value] : wrong) {
    const auto binary = BinaryOfValue(type, value);
    ASSERT_FALSE(binary.ok()) << type << " " << engine::ToText(value);
    EXPECT_EQ(binary.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(BinaryOfValue(oid::kPoint, Value("(1,2)")).error().code, ErrorCode::kUnsupported);
}

// A date before Christ has a text that the reader does not take, and bytes that PostgreSQL sends.
TEST(Codec, DatesBeforeChristAreBytesLikeAnyOther) {
  const engine::Value date = engine::Date{-719163};  // 0001-12-31 BC
  EXPECT_EQ(Hex(BinaryOfValue(oid::kDate, date).value()), "fff4dbf8");
}

TEST(Codec, WhatIsNoValueIsRefused) {
  for (const auto& [type, text] :
       std::vector<std::pair<Oid, const char*>>{{oid::kBool, "maybe"},
                                                {oid::kInt2, "32768"},
                                                {oid::kInt4, "1.5"},
                                                {oid::kInt8, ""},
                                                {oid::kFloat8, "much"},
                                                {oid::kNumeric, "1e"},
                                                {oid::kNumeric, "1.2.3"},
                                                {oid::kDate, "2024-02-30"},
                                                {oid::kDate, "today"},
                                                {oid::kTimestamp, "12:00"},
                                                {oid::kUuid, "0011"},
                                                {oid::kBytea, "abc"},
                                                {oid::kInterval, "1 cat"},
                                                {oid::kInt4Array, "1,2"},
                                                {oid::kInt4Array, "{1,{2}}"},
                                                {oid::kInt4Array, "{a}"}}) {
    EXPECT_FALSE(BinaryOf(type, text).ok()) << text;
  }
  EXPECT_FALSE(TextOf(oid::kInt4, "abc").ok());
  EXPECT_FALSE(TextOf(oid::kNumeric, std::string("\x7f\xff\0\0\0\0\0\0", 8)).ok());
  // 897 digits before the point and 767 after it: more than the text's reader takes back.
  EXPECT_FALSE(TextOf(oid::kNumeric, std::string("\0\1\0\xe0\0\0\x02\xff\0\1", 10)).ok());
  EXPECT_FALSE(TextOf(oid::kInt4Array, std::string(20, '\x7f')).ok());
  EXPECT_EQ(BinaryOf(oid::kPoint, "(1,2)").error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(HasBinary(oid::kPoint));
}

TEST(Codec, LengthsAreThoseOfTheCatalog) {
  EXPECT_EQ(LengthOf(oid::kBool), 1);
  EXPECT_EQ(LengthOf(oid::kInt8), 8);
  EXPECT_EQ(LengthOf(oid::kRegclass), 4);
  EXPECT_EQ(LengthOf(oid::kName), 64);
  EXPECT_EQ(LengthOf(oid::kText), -1);
  EXPECT_EQ(LengthOf(oid::kFloat8Array), -1);
  EXPECT_EQ(LengthOf(99999), -1);
}

TEST(Codec, ArraysOfWhatHasABinaryFormHaveOne) {
  EXPECT_TRUE(HasBinary(oid::kFloat8Array));
  EXPECT_FALSE(HasBinary(oid::kInt2Vector)) << "its text has no braces";
  EXPECT_FALSE(HasBinary(oid::kAnyArray));
  EXPECT_FALSE(HasBinary(oid::kPointArray));
  const Result<std::string> binary = BinaryOf(oid::kFloat8Array, "{1.5,NULL,-2}");
  ASSERT_TRUE(binary.ok());
  EXPECT_EQ(*TextOf(oid::kFloat8Array, *binary), "{1.5,NULL,-2}");
}

}  // namespace
}  // namespace tacit::wire::pg
