#include "owner/import/sniff.h"

#include <gtest/gtest.h>

namespace tacit::owner {
namespace {

using Lines = std::vector<std::string>;

std::string Said(const Lines& lines, const CsvDialect& given = {}, bool all = true) {
  const Result<CsvShape> shape = Sniff(lines, all, given, "t.csv");
  return shape.ok() ? ToText(*shape) : shape.error().public_message;
}

TEST(Sniff, TheDelimiterSplitsEveryLineIntoAsManyFields) {
  const std::string rest = ", quoted by \", the first line names the columns";
  EXPECT_EQ(Said({"id,age", "1,30"}), "fields are separated by ','" + rest);
  EXPECT_EQ(Said({"id;price", "1;2,5", "2;3,5"}), "fields are separated by ';'" + rest);
  EXPECT_EQ(Said({"id\tname", "1\tAnn, Bob"}), "fields are separated by tabs" + rest);
  EXPECT_EQ(Said({"id|x", "1|2"}), "fields are separated by '|'" + rest);
  EXPECT_EQ(Said({"name", "Ann"}), "fields are separated by ','" + rest);
}

TEST(Sniff, ABrokenLineDoesNotChangeTheDelimiter) {
  EXPECT_NE(Said({"a,b", "1,2", "3", "4;5"}).find("','"), std::string::npos);
}

TEST(Sniff, FieldsInQuotesMayHoldDelimitersQuotesAndLineBreaks) {
  EXPECT_NE(Said({"id,text", "1,\"a;b,c\"", "2,\"first", "second \"\"line\"\", end\""}).find("','"),
            std::string::npos);
  EXPECT_NE(Said({"id;name", "1;'a;b'", "2;'c'"}).find("';', quoted by '"), std::string::npos);
  EXPECT_NE(Said({"id,name", "1,O'Hara", "2,Ann"}).find("quoted by \""), std::string::npos);
}

TEST(Sniff, TheLastRecordOfASampleMayBeCutOff) {
  EXPECT_NE(Said({"id;price", "1;2,5", "2;3,5;"}, {}, false).find("';'"), std::string::npos);
}

TEST(Sniff, AFirstLineThatLooksLikeDataIsRefused) {
  for (const Lines& lines : {Lines{"1,30", "2,40"}, Lines{"Ann,2020-01-31"}, Lines{"a,a"},
                             Lines{",age", "0,30"}, Lines{"Ann;2,5"}}) {
    EXPECT_NE(Said(lines).find("looks like data"), std::string::npos) << lines[0];
    EXPECT_EQ(Said(lines, {.header = true}).find("looks like data"), std::string::npos);
    EXPECT_NE(Said(lines, {.header = false}).find("column0"), std::string::npos);
  }
  EXPECT_FALSE(Sniff({}, true, {}, "t.csv").ok()) << "an empty file";
}

TEST(Sniff, WhatTheOwnerSaysHolds) {
  const CsvDialect given{.delimiter = '|', .quote = '\0', .header = true};
  EXPECT_EQ(Said({"a,b|c", "1,2|3"}, given),
            "fields are separated by '|', nothing is quoted, the first line names the columns");
}

}  // namespace
}  // namespace tacit::owner
