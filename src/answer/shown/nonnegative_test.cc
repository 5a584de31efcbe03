#include "answer/shown/nonnegative.h"

#include <gtest/gtest.h>

namespace tacit::answer {
namespace {

using engine::Numeric;
using engine::Value;

plan::OutputColumn Wished(bool none_below_zero) {
  plan::OutputColumn column{.name = "n", .type = {}, .is_array = false, .error = std::nullopt};
  column.none_below_zero = none_below_zero;
  return column;
}

TEST(NoneBelowZero, RaisesWhatItWasAskedForAndNothingElse) {
  const std::vector<plan::OutputColumn> columns = {Wished(true), Wished(false), Wished(true),
                                                   Wished(true)};
  const engine::PackedRows rows = {
      {Value(int64_t{-3}), Value(int64_t{-3}), Value(Numeric{-25, 1}), Value(-0.5)},
      {Value(int64_t{4}), Value(std::string("x")), Value(Numeric{25, 1}), Value(0.5)},
      {Value(), Value(), Value(), Value()}};
  const engine::PackedRows shown = NoneBelowZero(columns, rows);
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0], (std::vector<Value>{Value(int64_t{0}), Value(int64_t{-3}),
                                          Value(Numeric{0, 1}), Value(0.0)}));
  EXPECT_EQ(shown[1], rows[1]);
  EXPECT_EQ(shown[2], rows[2]);
}

TEST(NoneBelowZero, WithoutAWishTheRowsAreAsTheyWere) {
  const engine::PackedRows rows = {{Value(int64_t{-3})}};
  EXPECT_EQ(NoneBelowZero({Wished(false)}, rows)[0], rows[0]);
}

TEST(NoneBelowZero, ManyRowsKeepTheirOrder) {
  engine::PackedRows rows;
  for (int64_t i = 0; i < 100'000; ++i) rows.push_back({Value(i % 2 == 0 ? i : -i)});
  const engine::PackedRows shown = NoneBelowZero({Wished(true)}, std::move(rows));
  int64_t i = 0;
  for (const std::vector<Value>& row : shown) {
    ASSERT_EQ(std::get<int64_t>(row[0]), i % 2 == 0 ? i : 0);
    ++i;
  }
  EXPECT_EQ(i, 100'000);
}

}  // namespace
}  // namespace tacit::answer
