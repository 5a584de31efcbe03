#include "engine/exact_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tacit::engine {
namespace {

using noise::Form;

const std::vector<Form> kForms = {Form::kNumber, Form::kCounts, Form::kFullCells};

// Group number n: two keys, a whole number, a list and cells that tell it from every other.
ExactGroup Numbered(int64_t n) {
  return {.keys = {Value(n % 7), n % 5 == 0 ? Value() : Value("text " + std::to_string(n))},
          .units = static_cast<uint64_t>(n),
          .measures = {ExactNumber(Int128{n} * 3),
                       ExactNumber(std::vector<uint64_t>{1, static_cast<uint64_t>(n)}),
                       ExactNumber(*noise::FullCells::Of({{static_cast<uint64_t>(n), 2}}))}};
}

TEST(ExactGroups, SortByKeysAndStayWhole) {
  // Every order of six, and many of a thousand.
  std::vector<int64_t> order = {1, 2, 3, 8, 15, 22};
  do {
    ExactGroups groups(2, kForms);
    for (const int64_t n : order) groups.Add(Numbered(n));
    groups.Sort();
    ASSERT_EQ(groups.size(), order.size());
    for (size_t i = 0; i < groups.size(); ++i) {
      const ExactGroup group = groups.At(i);
      const ExactGroup expected = Numbered(static_cast<int64_t>(group.units));
      EXPECT_EQ(group.keys, expected.keys);
      EXPECT_EQ(group.measures, expected.measures);
      if (i == 0) continue;
      EXPECT_LT(groups.At(i - 1).keys, group.keys);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  uint64_t state = 1;
  for (int round = 0; round < 20; ++round) {
    ExactGroups groups(2, kForms);
    std::vector<std::vector<Value>> keys;
    for (int i = 0; i < 1000; ++i) {
      state = state * 6364136223846793005 + 1442695040888963407;
      groups.Add(Numbered(static_cast<int64_t>(state >> 40)));
      keys.push_back(groups.At(static_cast<size_t>(i)).keys);
    }
    std::sort(keys.begin(), keys.end());
    groups.Sort();
    for (size_t i = 0; i < groups.size(); ++i) EXPECT_EQ(groups.At(i).keys, keys[i]);
  }
}

TEST(ExactGroups, KeysAreTheSameWhateverComesBehindWholeNumbers) {
  for (const Value& last : {Value(int64_t{-3}), Value(), Value(std::string("x")), Value(2.5)}) {
    ExactGroups groups(1, {});
    for (const int64_t n : {5, -7}) groups.Add({.keys = {Value(n)}, .units = 0, .measures = {}});
    groups.Add({.keys = {last}, .units = 0, .measures = {}});
    EXPECT_EQ(groups.Key(0, 0), Value(int64_t{5}));
    EXPECT_EQ(groups.Key(2, 0), last);
    std::vector<Value> keys = {Value(int64_t{5}), Value(int64_t{-7}), last};
    std::sort(keys.begin(), keys.end());
    groups.Sort();
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(groups.TakeKey(i, 0), keys[i]);
  }
}

TEST(ExactGroups, WithoutKeysThereIsOneAndKeysAreCompared) {
  ExactGroups one(0, {Form::kNumber});
  one.Add({.keys = {}, .units = 0, .measures = {ExactNumber(Int128{-7})}});
  one.Sort();
  EXPECT_EQ(one.Measure(0, 0), ExactNumber(Int128{-7}));
  ExactGroups groups(1, {});
  for (const int64_t n : {2, 1, 2}) groups.Add({.keys = {Value(n)}, .units = 0, .measures = {}});
  groups.Sort();
  EXPECT_FALSE(groups.HaveSameKeys(0, 1));
  EXPECT_TRUE(groups.HaveSameKeys(1, 2));
}

}  // namespace
}  // namespace tacit::engine
