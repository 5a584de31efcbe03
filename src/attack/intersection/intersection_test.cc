#include "attack/intersection/intersection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "anonymize/table/read_csv.h"
#include "attack/intersection/census.h"
#include "attack/intersection/private_releases.h"
#include "attack/intersection/published.h"

namespace tacit::attack {
namespace {

IntersectionOptions Neighbours(const std::string& sensitive) {
  return {.quasi_identifiers = {"age", "sex", "marital", "race", "birthplace", "education"},
          .sensitive = sensitive,
          .requirements = {{.k = 2}, {.k = 20}},
          .overlaps = {300},
          .runs = 2};
}

TEST(SplitRows, SharesExactlyTheOverlapAndCoversEverybody) {
  const Split split = SplitRows(1001, 100, 5);
  const std::set<uint32_t> one(split.one.begin(), split.one.end());
  const std::set<uint32_t> other(split.other.begin(), split.other.end());
  std::set<uint32_t> both, all(one);
  all.insert(other.begin(), other.end());
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::inserter(both, both.end()));
  EXPECT_EQ(both.size(), 100u);
  EXPECT_EQ(all.size(), 1001u);
  EXPECT_EQ(one.size(), 550u);
}

TEST(Intersect, TwoReleasesTellMoreThanOneAndLessForLargerK) {
  const anonymize::Table table = CensusLike(3000, 1);
  const Report report = AttackIntersection(table, Neighbours("occupation")).value();
  const auto& rows = report.tables.at(0).rows;
  ASSERT_EQ(rows.size(), 2u);
  const auto number = [&](size_t row, size_t column) { return *rows[row][column].number; };
  EXPECT_GT(number(0, 3), number(0, 2));  // both releases against one
  EXPECT_GT(number(0, 3), 0.3);
  EXPECT_GT(number(0, 3), number(1, 3));  // k = 2 against k = 20
  EXPECT_GE(number(1, 8), 20);            // the average partition
}

TEST(Intersect, TheSameSeedGivesTheSameFigures) {
  const anonymize::Table table = CensusLike(1000, 1);
  const auto domains = anonymize::MakeDomains(table, {"age", "sex", "race"}, {}).value();
  const auto sensitive = anonymize::MakeSensitiveDomain(table, "occupation", {}).value();
  const Breaches a = Intersect(domains, sensitive, 100, {.k = 3}, 2, 9).value();
  const Breaches b = Intersect(domains, sensitive, 100, {.k = 3}, 2, 9).value();
  const Breaches c = Intersect(domains, sensitive, 100, {.k = 3}, 2, 99).value();
  EXPECT_EQ(a.candidates, b.candidates);
  EXPECT_NE(a.candidates, c.candidates);
}

TEST(IntersectPrivate, AGuessIsHardlyBetterThanWithoutThePersonsRows) {
  const anonymize::Table table = CensusLike(4000, 2);
  const auto domains = anonymize::MakeDomains(table, {"age", "sex", "education"}, {}).value();
  const auto sensitive = anonymize::MakeSensitiveDomain(table, "occupation", {}).value();
  const PrivateBreaches found =
      IntersectPrivate(domains, sensitive, 1000, Epsilon(1, 10), 16, 2, 1).value();
  for (size_t run = 0; run < 2; ++run) {
    // 1,000 targets in 16 cells: the share moves by about a cell's share between draws of noise.
    EXPECT_LE(found.guess_with[run], std::exp(0.2) * found.guess_without[run] + 0.1);
    EXPECT_LE(found.right[run], 0.01);
  }
  // With next to no noise the two worlds can be told apart.
  const PrivateBreaches loud =
      IntersectPrivate(domains, sensitive, 1000, Epsilon(1000, 1), 1 << 12, 1, 1).value();
  EXPECT_GT(loud.guess_with[0], loud.guess_without[0] + 0.1);
}

TEST(PublicGrid, DependsOnARowsOwnValuesOnly) {
  const anonymize::Table table = CensusLike(500, 3);
  const auto domains = anonymize::MakeDomains(table, {"age", "race"}, {}).value();
  const std::vector<uint32_t> cells = PublicGrid(domains, 6);
  for (size_t a = 0; a < cells.size(); ++a) {
    EXPECT_LT(cells[a], 64u);
    for (size_t b = 0; b < a; ++b) {
      if (domains[0].codes[a] == domains[0].codes[b] &&
          domains[1].codes[a] == domains[1].codes[b]) {
        EXPECT_EQ(cells[a], cells[b]);
      }
    }
  }
  EXPECT_GT(std::set<uint32_t>(cells.begin(), cells.end()).size(), 8u);
}

TEST(AttackTwoFiles, FindsWhatTheClassesHaveInCommon) {
  const auto one =
      anonymize::ParseCsv("age,sex,ill\n20..30,*,flu\n20..30,*,cough\n40,*,flu\n40,*,flu\n", "one");
  const auto other = anonymize::ParseCsv(
      "age,sex,ill\n25..30,{F|M},flu\n25..30,{F|M},cold\n31..50,F,flu\n", "other");
  const auto targets = anonymize::ParseCsv("age,sex,ill\n27,F,flu\n40,F,flu\n99,M,flu\n", "list");
  const Report report =
      AttackTwoFiles(one.value(), other.value(), targets.value(), {"age", "sex"}, "ill").value();
  const auto& rows = report.tables.at(0).rows;
  EXPECT_EQ(*rows[0][1].number, 1);  // 99 is in neither
  EXPECT_EQ(*rows[1][1].number, 2);
  EXPECT_NE(report.summary[1].find("2 of 2"), std::string::npos);
}

TEST(AttackIntersection, WrongOptionsAreNamed) {
  const anonymize::Table table = CensusLike(50, 1);
  IntersectionOptions options = Neighbours("age");
  EXPECT_EQ(AttackIntersection(table, options).error().public_message,
            "the sensitive column \"age\" is among the quasi-identifiers");
  options = Neighbours("occupation");
  EXPECT_EQ(AttackIntersection(table, options).error().public_message,
            "the overlap must be from 1 to the number of rows, 50, not 300");
  options.overlaps = {10};
  options.requirements = {{.k = 40}};
  EXPECT_EQ(AttackIntersection(table, options).error().public_message,
            "k is 40, but the table has only 30 rows");
}

}  // namespace
}  // namespace tacit::attack
