#include "wire/pg/types/copy_row.h"

#include <gtest/gtest.h>

namespace tacit::wire::pg {
namespace {

using engine::Value;

TEST(CopyRow, TextKeepsALineALineWhateverTheValueHolds) {
  const sql::CopyCommand copy;
  EXPECT_EQ(*CopyLine(copy, {oid::kText, oid::kText}, {"a\tb\n\\c", Value()}),
            "a\\tb\\n\\\\c\t\\N\n");
  sql::CopyCommand other;
  other.delimiter = '|';
  other.null = "-";
  EXPECT_EQ(*CopyLine(other, {oid::kText, oid::kText}, {"a|b", Value()}), "a\\|b|-\n");
  EXPECT_EQ(CopyHead(copy, {"a"}), "");
}

TEST(CopyRow, CsvQuotesWhatNeedsItAndTellsAnEmptyTextFromNull) {
  sql::CopyCommand copy;
  copy.format = sql::CopyFormat::kCsv;
  copy.delimiter = ',';
  copy.null = "";
  copy.header = true;
  EXPECT_EQ(CopyHead(copy, {"a", "b,c"}), "a,\"b,c\"\n");
  EXPECT_EQ(*CopyLine(copy, {oid::kText, oid::kText, oid::kText}, {"say \"x\"", "", Value()}),
            "\"say \"\"x\"\"\",\"\",\n");
  EXPECT_EQ(*CopyLine(copy, {oid::kText}, {"\\."}), "\"\\.\"\n");
}

TEST(CopyRow, BinaryIsWhatPostgresReads) {
  sql::CopyCommand copy;
  copy.format = sql::CopyFormat::kBinary;
  EXPECT_EQ(CopyHead(copy, {}).size(), 19u);
  EXPECT_EQ(*CopyLine(copy, {oid::kInt8, oid::kText}, {int64_t{258}, Value()}),
            std::string("\0\2\0\0\0\10\0\0\0\0\0\0\1\2\377\377\377\377", 18));
  EXPECT_EQ(CopyTail(copy), "\377\377");
  EXPECT_FALSE(CopyLine(copy, {oid::kInt8}, {"x"}).ok());
}

}  // namespace
}  // namespace tacit::wire::pg
