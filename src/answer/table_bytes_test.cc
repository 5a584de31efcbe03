#include "answer/table_bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace tacit::answer {
namespace {

using engine::ResultTable;
using engine::Value;

ResultTable Sample() {
  ResultTable table;
  table.columns = {{"k1", kTextType}, {"m1", NumericType(38, 0)}};
  table.rows = {{Value(), Value(engine::Numeric{kInt128Min, 0})},
                {Value(std::string("a\0b", 3)), Value(engine::Numeric{kInt128Max, 0})},
                {Value(std::string()), Value(engine::Numeric{-1, 38})}};
  return table;
}

void ExpectSame(const ResultTable& a, const ResultTable& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].type, b.columns[i].type);
  }
  EXPECT_EQ(a.rows, b.rows);
}

TEST(TableBytes, ReadBackAsTheSameTable) {
  const Result<ResultTable> read = ReadTable(WriteTable(Sample()));
  ASSERT_TRUE(read.ok());
  ExpectSame(*read, Sample());
}

TEST(TableBytes, EveryKindOfValueSurvives) {
  ResultTable table;
  table.columns = {{"v", kOpaqueType}};
  for (const Value& value :
       {Value(true), Value(false), Value(std::numeric_limits<int64_t>::min()), Value(0.1),
        Value(-std::numeric_limits<double>::infinity()), Value(engine::Date{-1}),
        Value(engine::Time{86'399'999'999}), Value(engine::Timestamp{-5, true}),
        Value(engine::Interval{-1, 2, -3})}) {
    table.rows.push_back({value});
  }
  const Result<ResultTable> read = ReadTable(WriteTable(table));
  ASSERT_TRUE(read.ok());
  ExpectSame(*read, table);
}

TEST(TableBytes, ATruncatedOrLengthenedTableIsRefused) {
  const std::string bytes = WriteTable(Sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadTable(bytes.substr(0, size)).ok()) << size;
    EXPECT_FALSE(TableInBytes::Open(bytes.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(ReadTable(bytes + '\0').ok());
  EXPECT_FALSE(TableInBytes::Open(bytes + '\0').ok());
}

TEST(TableBytes, RowsAreReadFromTheBytesAsOftenAsAsked) {
  const auto table = TableInBytes::Open(WriteTable(Sample())).value();
  EXPECT_EQ(table->bytes(), WriteTable(Sample()));
  EXPECT_EQ(table->size(), Sample().rows.size());
  const std::unique_ptr<engine::RowSource::Cursor> beside = table->Open();
  for (int round = 0; round < 2; ++round) {
    ResultTable read{.columns = table->columns(), .rows = {}};
    const std::unique_ptr<engine::RowSource::Cursor> cursor = table->Open();
    for (std::vector<Value> row; cursor->Next(row);) read.rows.push_back(row);
    ExpectSame(read, Sample());
  }
  std::vector<Value> first;
  ASSERT_TRUE(beside->Next(first));
  EXPECT_EQ(first, Sample().rows[0]);
}

TEST(TableBytes, ANumberOfRowsThatCannotBeThereCostsNothing) {
  std::string bytes = WriteTable({.columns = {{"m1", kBigintType}}, .rows = {}});
  for (size_t i = bytes.size() - 8; i < bytes.size(); ++i) bytes[i] = '\x7f';
  EXPECT_FALSE(ReadTable(bytes).ok());
}

}  // namespace
}  // namespace tacit::answer
