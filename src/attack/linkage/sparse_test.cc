#include "attack/linkage/sparse.h"

#include <gtest/gtest.h>

#include "anonymize/table/read_csv.h"

namespace tacit::attack {
namespace {

TEST(Sparse, AFewKnownItemsFindAPersonAndAbsentPeopleAreSeldomClaimed) {
  const SparseTable table = InventRatings(3000, 2000, 1);
  const SparseOptions options{.targets = 150};
  const Scoreboard two = AttackRecords(table, 2, false, options);
  const Scoreboard eight = AttackRecords(table, 8, true, options);
  EXPECT_GT(eight.right, two.right);
  EXPECT_GT(eight.right, 120);
  EXPECT_LT(eight.wrong, 8);
  EXPECT_LT(eight.absent_claimed, 15);
  EXPECT_LT(eight.entropy, two.entropy);
}

TEST(Sparse, TheSameSeedGivesTheSameFigures) {
  const SparseTable table = InventRatings(500, 200, 1);
  const Scoreboard a = AttackRecords(table, 4, false, {.targets = 50});
  const Scoreboard b = AttackRecords(table, 4, false, {.targets = 50});
  EXPECT_EQ(a.right, b.right);
  EXPECT_EQ(a.gap, b.gap);
}

TEST(Sparse, ReadsAFileOfEntries) {
  const auto file = anonymize::ParseCsv(
      "who,film,stars,day\na,x,5,2024-01-31\na,y,3,2024-02-01\nb,x,1,2024-03-01\na,x,2,2024-05-"
      "05\n",
      "f");
  const SparseTable table =
      ReadSparse(file.value(), {.person = "who", .item = "film", .value = "stars", .day = "day"})
          .value();
  ASSERT_EQ(table.people.size(), 2u);
  ASSERT_EQ(table.people[0].size(), 2u);  // the second x of a is left out
  EXPECT_EQ(table.people[0][0].value, 5);
  EXPECT_EQ(table.people[0][1].day - table.people[0][0].day, 1);
  EXPECT_EQ(table.people[1][0].day - table.people[0][1].day, 29);
}

TEST(Sparse, WhatIsNoNumberIsSaidWithItsPlace) {
  const auto file = anonymize::ParseCsv("who,film,stars\na,x,5\nb,x,good\n", "f");
  EXPECT_EQ(ReadSparse(file.value(), {.person = "who", .item = "film", .value = "stars"})
                .error()
                .public_message,
            "f:3: stars is \"good\", not a number");
  EXPECT_FALSE(ReadSparse(file.value(), {.person = "who", .item = "shop"}).ok());
}

}  // namespace
}  // namespace tacit::attack
