#include "engine/packed_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tacit::engine {
namespace {

using Row = PackedRows::Row;

Row Everything() {
  Row row = {Value(), Value(true), Value(false)};
  for (const int64_t number :
       {int64_t{0}, int64_t{-1}, int64_t{63}, int64_t{64}, int64_t{-64}, int64_t{-65},
        std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    row.emplace_back(number);
    row.emplace_back(Numeric{number, 3});
    row.emplace_back(Time{number});
    row.emplace_back(Timestamp{number, number < 0});
    row.emplace_back(Interval{static_cast<int32_t>(number), static_cast<int32_t>(~number), number});
    row.emplace_back(Date{static_cast<int32_t>(number)});
  }
  for (const Int128 number : {kInt128Min, kInt128Max, Int128{1} << 64, -(Int128{1} << 63) - 1}) {
    row.emplace_back(Numeric{number, 38});
  }
  for (const double number : {0.0, -0.0, 0.1, -1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::denorm_min()}) {
    row.emplace_back(number);
  }
  for (const size_t size : {size_t{0}, size_t{1}, size_t{127}, size_t{128}, size_t{200'000}}) {
    row.emplace_back(std::string(size, '\0'));
  }
  return row;
}

// So many that they lie in several blocks, some of one row, with more in one block than follow.
std::vector<Row> Many() {
  std::vector<Row> rows;
  for (int64_t i = 0; i < 30'000; ++i) rows.push_back({Value(i), Value(std::string("town"))});
  for (int i = 0; i < 3; ++i) rows.push_back(Everything());
  rows.emplace_back();
  rows.push_back({Value()});
  return rows;
}

TEST(PackedRows, EveryValueIsReadAsItWasWritten) {
  const Row row = Everything();
  const PackedRows rows = {row};
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_EQ(rows[0].size(), row.size());
  for (size_t i = 0; i < row.size(); ++i) EXPECT_EQ(rows[0][i], row[i]) << i;
  EXPECT_TRUE(std::signbit(std::get<double>(PackedRows{{Value(-0.0)}}[0][0])));
}

TEST(PackedRows, AreReadInTurnByNumberAndFromAnyPlace) {
  const std::vector<Row> rows = Many();
  const PackedRows packed(rows);
  ASSERT_EQ(packed.size(), rows.size());
  size_t i = 0;
  for (const Row& row : packed) ASSERT_EQ(row, rows[i++]);
  EXPECT_EQ(i, rows.size());
  for (const size_t at : {size_t{0}, size_t{1}, size_t{9'999}, rows.size() - 5, rows.size() - 1}) {
    EXPECT_EQ(packed[at], rows[at]) << at;
  }
  PackedRows::Place place;
  Row row;
  for (i = 0; i < 20'000; ++i) ASSERT_TRUE(packed.Next(place, row));
  const PackedRows moved = packed;
  for (; moved.Next(place, row); ++i) ASSERT_EQ(row, rows[i]);
  EXPECT_EQ(i, rows.size());
}

TEST(PackedRows, AreEqualWhenTheirValuesAre) {
  const PackedRows rows(Many());
  EXPECT_EQ(rows, PackedRows(Many()));
  std::vector<Row> other = Many();
  other.back() = {Value(int64_t{0})};
  EXPECT_FALSE(rows == PackedRows(other));
  other.pop_back();
  EXPECT_FALSE(rows == PackedRows(other));
  EXPECT_EQ(PackedRows(), PackedRows(std::vector<Row>()));
}

TEST(PackedRows, AMillionCountsTakeLessThanTenBytesEach) {
  PackedRows rows;
  constexpr int64_t kRows = 1'000'000;
  for (int64_t i = 0; i < kRows; ++i) rows.push_back({Value(i), Value(Numeric{Int128{3}, 0})});
  EXPECT_LT(rows.bytes(), 10 * static_cast<size_t>(kRows));
}

TEST(PackedRows, WhatWasReadCanBeLetGoOf) {
  const std::vector<Row> rows = Many();
  PackedRows packed(rows);
  const size_t before = packed.bytes();
  PackedRows::Place place;
  Row row;
  for (size_t i = 0; packed.Next(place, row); ++i) {
    packed.LetGoBefore(place);
    ASSERT_EQ(row, rows[i]);
  }
  EXPECT_EQ(packed.size(), rows.size());
  EXPECT_GT(before, 800'000u);
  EXPECT_LT(packed.bytes(), 300'000u);  // the last block
}

TEST(PackedRows, AreNoneOnceTheyWereMoved) {
  PackedRows rows = {{Value(true)}};
  const PackedRows moved = std::move(rows);
  EXPECT_EQ(moved.size(), 1u);
  EXPECT_TRUE(rows.empty());  // NOLINT(bugprone-use-after-move)
  rows.push_back({Value(false)});
  EXPECT_EQ(rows, (PackedRows{{Value(false)}}));
}

}  // namespace
}  // namespace tacit::engine
