#include "attack/uniqueness/uniqueness.h"

#include <gtest/gtest.h>

#include <map>

#include "anonymize/table/read_csv.h"

namespace tacit::attack {
namespace {

anonymize::Table FourColumns(uint32_t rows) {
  std::string text = "a,b,c,d\n";
  uint64_t state = 7;
  for (uint32_t i = 0; i < rows; ++i) {
    for (const uint64_t below : {5, 9, 14, 3}) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text += std::to_string((state >> 33) % below) + (below == 3 ? "\n" : ",");
    }
  }
  return anonymize::ParseCsv(text, "f").value();
}

TEST(Uniqueness, CountsAsANaiveCountDoes) {
  const anonymize::Table table = FourColumns(300);
  const auto sets = CountUnique(table, {.columns = {"a", "b", "c", "d"}, .up_to = 4}).value();
  ASSERT_EQ(sets.size(), 15u);
  for (const KnownSet& set : sets) {
    std::map<std::string, uint64_t> groups;
    for (uint32_t row = 0; row < table.rows; ++row) {
      std::string key;
      for (const size_t column : set.columns) key += table.columns[column].Cell(row) + ",";
      ++groups[key];
    }
    uint64_t unique = 0, few = 0;
    for (const auto& [key, count] : groups) {
      unique += count == 1;
      few += count < 5 ? count : 0;
    }
    EXPECT_EQ(set.unique, unique);
    EXPECT_EQ(set.few, few);
  }
}

TEST(Uniqueness, TheReportHoldsEverySizeAndTheWorstSetFirst) {
  const Report report = AttackUniqueness(FourColumns(300), {.up_to = 2}).value();
  EXPECT_EQ(report.name, "uniqueness");
  ASSERT_EQ(report.summary.size(), 2u);
  EXPECT_NE(report.summary[1].find("{b, c}"), std::string::npos) << report.summary[1];
}

TEST(Uniqueness, WrongOptionsAreNamed) {
  const anonymize::Table table = FourColumns(10);
  EXPECT_EQ(AttackUniqueness(table, {.columns = {"x"}, .up_to = 1}).error().public_message,
            "f:1: there is no column \"x\"");
  EXPECT_EQ(AttackUniqueness(table, {.columns = {"a", "a"}, .up_to = 1}).error().public_message,
            "the column \"a\" is named twice");
  EXPECT_EQ(AttackUniqueness(table, {.columns = {"a"}, .up_to = 2}).error().public_message,
            "--up-to must be from 1 to the number of columns, 1");
}

}  // namespace
}  // namespace tacit::attack
