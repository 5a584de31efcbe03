#include "wire/pg/types/codec.h"

#include <gtest/gtest.h>

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
      {kBool, "t", "01"},
      {kInt2, "-2", "fffe"},
      {kInt4, "2147483647", "7fffffff"},
      {kInt8, "-1", "ffffffffffffffff"},
      {kOid, "4294967295", "ffffffff"},
      {kFloat8, "1.5", "3ff8000000000000"},
      {kFloat4, "0.1", "3dcccccd"},
      {kText, "abc", "616263"},
      {kBytea, "\\x00ff", "00ff"},
      {kDate, "2000-01-01", "00000000"},
      {kDate, "1999-12-31", "ffffffff"},
      {kDate, "infinity", "7fffffff"},
      {kTime, "00:00:01.5", "000000000016e360"},
      {kTimestamp, "2000-01-01 00:00:00.000001", "0000000000000001"},
      {kTimestampTz, "2000-01-01 00:00:00+00", "0000000000000000"},
      {kInterval, "1 mon 2 days 00:00:00.000003", "00000000000000030000000200000001"},
      {kNumeric, "0", "0000000000000000"},
      {kNumeric, "12345.678", "0003000100000003000109291a7c"},
      {kNumeric, "-0.0001", "0001ffff400000040001"},
      {kNumeric, "10000", "00010001000000000001"},
      {kNumeric, "NaN", "00000000c0000000"},
      {kUuid, "00112233-4455-6677-8899-aabbccddeeff", "00112233445566778899aabbccddeeff"},
      {kJsonb, "{}", "017b7d"},
      {1007, "{1,NULL}",
       "0000000100000001000000170000000200000001"
       "0000000400000001ffffffff"},
      {1009, "{}", "000000000000000000000019"},
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

TEST(Codec, WhatIsNoValueIsRefused) {
  for (const auto& [type, text] : std::vector<std::pair<Oid, const char*>>{{kBool, "maybe"},
                                                                           {kInt2, "32768"},
                                                                           {kInt4, "1.5"},
                                                                           {kInt8, ""},
                                                                           {kFloat8, "much"},
                                                                           {kNumeric, "1e"},
                                                                           {kNumeric, "1.2.3"},
                                                                           {kDate, "2024-02-30"},
                                                                           {kDate, "today"},
                                                                           {kTimestamp, "12:00"},
                                                                           {kUuid, "0011"},
                                                                           {kBytea, "abc"},
                                                                           {kInterval, "1 cat"},
                                                                           {1007, "1,2"},
                                                                           {1007, "{1,{2}}"},
                                                                           {1007, "{a}"}}) {
    EXPECT_FALSE(BinaryOf(type, text).ok()) << text;
  }
  EXPECT_FALSE(TextOf(kInt4, "abc").ok());
  EXPECT_FALSE(TextOf(kNumeric, std::string("\x7f\xff\0\0\0\0\0\0", 8)).ok());
  // 897 digits before the point and 767 after it: more than the text's reader takes back.
  EXPECT_FALSE(TextOf(kNumeric, std::string("\0\1\0\xe0\0\0\x02\xff\0\1", 10)).ok());
  EXPECT_FALSE(TextOf(1007, std::string(20, '\x7f')).ok());
  EXPECT_EQ(BinaryOf(600, "(1,2)").error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(HasBinary(600));
}

TEST(Codec, TypesOfAnswersHaveTheirNumbersAndModifiers) {
  EXPECT_EQ(TypeNamed("bigint").type, kInt8);
  EXPECT_EQ(TypeNamed("double precision").type, kFloat8);
  EXPECT_EQ(TypeNamed("numeric(12,2)").type, kNumeric);
  EXPECT_EQ(TypeNamed("numeric(12,2)").modifier, (12 << 16 | 2) + 4);
  EXPECT_EQ(TypeNamed("unknown").type, kText);
  EXPECT_EQ(LengthOf(kInt8), 8);
  EXPECT_EQ(LengthOf(kText), -1);
}

TEST(Codec, ArraysHaveNumbersOfTheirOwn) {
  EXPECT_EQ(TypeNamed("double precision[]").type, 1022u);
  EXPECT_EQ(TypeNamed("bigint[]").type, 1016u);
  EXPECT_EQ(TypeNamed("numeric(12,2)[]").type, 1231u);
  EXPECT_EQ(TypeNamed("numeric(12,2)[]").modifier, (12 << 16 | 2) + 4);
  const Result<std::string> binary = BinaryOf(1022, "{1.5,NULL,-2}");
  ASSERT_TRUE(binary.ok());
  EXPECT_EQ(*TextOf(1022, *binary), "{1.5,NULL,-2}");
}

}  // namespace
}  // namespace tacit::wire::pg
