#include "attack/linkage/linkage.h"

#include <gtest/gtest.h>

#include "anonymize/table/read_csv.h"
#include "attack/linkage/city.h"

namespace tacit::attack {
namespace {

TEST(Coarsen, GoesDownTheLadder) {
  EXPECT_EQ(Coarsen(Ladder::kDate, "1987-03-14", 0), "1987-03-14");
  EXPECT_EQ(Coarsen(Ladder::kDate, "1987-03-14", 1), "1987-03");
  EXPECT_EQ(Coarsen(Ladder::kDate, "1987-03-14", 2), "1987");
  EXPECT_EQ(Coarsen(Ladder::kDate, "1987-03-14", 3), "1985");
  EXPECT_EQ(Coarsen(Ladder::kDate, "1987-03-14", 4), "1980");
  EXPECT_EQ(Coarsen(Ladder::kDate, "unknown", 3), "unknown");
  EXPECT_EQ(Coarsen(Ladder::kNumber, "37", 2), "35");
  EXPECT_EQ(Coarsen(Ladder::kNumber, "-3", 3), "-10");
  EXPECT_EQ(Coarsen(Ladder::kNumber, "25300", 1, 1000), "24000");
  EXPECT_EQ(UnitOf({"age", {"20", "", "97"}, {}}), 1);
  EXPECT_EQ(UnitOf({"income", {"0", "198000"}, {}}), 1000);
  EXPECT_EQ(LadderOf({"age", {"20", "", "97"}, {}}), Ladder::kNumber);
  EXPECT_EQ(LadderOf({"none", {""}, {}}), Ladder::kCategory);
  EXPECT_EQ(Coarsen(Ladder::kPrefix, "75013", 2), "750");
  EXPECT_EQ(Coarsen(Ladder::kPrefix, "7", 4), "");
  EXPECT_EQ(Coarsen(Ladder::kCategory, "F", 4), "F");
}

TEST(LinkFiles, LinksWhatIsAloneOnBothSides) {
  // 1 is alone in both; 2 and 3 look alike; 4 is in the release as somebody who is not listed (9).
  const auto release =
      anonymize::ParseCsv("id,age,sex\n1,20,F\n2,30,M\n3,30,M\n9,40,F\n", "release").value();
  const auto list =
      anonymize::ParseCsv("id,age,sex\n1,20,F\n2,30,M\n3,30,M\n4,40,F\n", "list").value();
  const auto all =
      LinkFiles(release, list, {.on = {"age", "sex"}, .truth = "id", .ks = {}}).value();
  EXPECT_EQ(all[0].claimed, 2u);
  EXPECT_EQ(all[0].right, 1u);
  EXPECT_EQ(all[0].in_both, 3u);
  EXPECT_DOUBLE_EQ(all[0].guess, (1 + 0.5 + 0.5) / 3);
}

TEST(LinkFiles, ReadsCoarsenedCells) {
  const auto release =
      anonymize::ParseCsv("age,sex,ill\n10..20,F,a\n21..40,{F|M},b\n21..40,{F|M},c\n", "r").value();
  const auto list = anonymize::ParseCsv("name,age,sex\nann,15,F\nbob,30,M\n", "l").value();
  const auto all = LinkFiles(release, list, {.on = {"age", "sex"}}).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].claimed, 1u);
}

TEST(AttackLinkage, ATownIsNamedByBirthDateSexAndPostCode) {
  const City city = InventCity({.people = 20'000});
  const LinkageOptions options{
      .on = {"birth_date", "sex", "zip"}, .prefix = {"zip"}, .truth = "person", .invented = true};
  const auto all = LinkFiles(city.release, city.list, options).value();
  ASSERT_EQ(all.size(), 8u);
  const auto recall = [&](size_t i) {
    return static_cast<double>(all[i].right) / static_cast<double>(all[i].in_both);
  };
  EXPECT_GT(recall(0), 0.8);
  EXPECT_GT(recall(0), recall(1));
  EXPECT_GT(recall(1), recall(2));
  EXPECT_LT(recall(4), 0.01);
  EXPECT_EQ(all[5].claimed, 0u);
  EXPECT_LE(all[5].guess, 0.5);
  EXPECT_LE(all[7].guess, 0.1);
  EXPECT_TRUE(AttackLinkage(city.release, city.list, options).ok());
}

TEST(AttackLinkage, WrongOptionsAreNamed) {
  const City city = InventCity({.people = 100});
  EXPECT_EQ(LinkFiles(city.release, city.list, {.on = {"name"}}).error().public_message,
            "the clinic's release:1: there is no column \"name\"");
  EXPECT_FALSE(LinkFiles(city.release, city.list, {}).ok());
  EXPECT_FALSE(LinkFiles(city.release, city.list, {.on = {"sex"}, .prefix = {"zip"}}).ok());
}

}  // namespace
}  // namespace tacit::attack
