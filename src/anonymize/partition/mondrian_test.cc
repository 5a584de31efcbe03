#include "anonymize/partition/mondrian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "anonymize/anonymize.h"
#include "anonymize/table/read_csv.h"

namespace tacit::anonymize {
namespace {

// A table of numbers and categories that repeats itself nowhere; the same on every machine.
Table People(uint32_t rows, uint64_t seed) {
  std::string text = "age,town,zip,illness\n";
  for (uint32_t i = 0; i < rows; ++i) {
    const auto draw = [&](uint64_t below) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      return (seed >> 33) % below;
    };
    text += std::to_string(draw(90)) + ",town" + std::to_string(draw(12) * draw(3)) + "," +
            std::to_string(draw(5000)) + ",ill" + std::to_string(draw(4) * draw(4)) + "\n";
  }
  return ParseCsv(text, "people.csv").value();
}

struct Cut {
  std::vector<Domain> domains;
  Domain illness;
  Classes classes;
};

Cut CutPeople(const Table& table, const Requirement& requirement) {
  Cut cut{MakeDomains(table, {"age", "town", "zip"}, {}).value(),
          MakeSensitiveDomain(table, "illness", {}).value(),
          {}};
  const std::vector<uint32_t> rows = AllRows(table);
  SensitiveColumn sensitive(cut.illness.codes, cut.illness.size(), rows, requirement.distance);
  cut.classes = Mondrian(cut.domains, rows, requirement, &sensitive).value();
  return cut;
}

TEST(Mondrian, ClassesHoldEveryRowOnceWithinTheirBounds) {
  const Table table = People(3000, 1);
  const Cut cut = CutPeople(table, {.k = 7});
  std::set<uint32_t> seen;
  for (size_t c = 0; c < cut.classes.size(); ++c) {
    EXPECT_GE(cut.classes.RowsOf(c).size(), 7u);
    for (const uint32_t row : cut.classes.RowsOf(c)) {
      EXPECT_TRUE(seen.insert(row).second);
      for (size_t j = 0; j < 3; ++j) {
        const Bounds bounds = cut.classes.BoundsOf(c)[j];
        EXPECT_LE(bounds.low, cut.domains[j].codes[row]);
        EXPECT_GE(bounds.high, cut.domains[j].codes[row]);
      }
    }
  }
  EXPECT_EQ(seen.size(), 3000u);
}

TEST(Mondrian, ClassesDoNotOverlapAndNoneCouldBeCutAgain) {
  const Table table = People(1000, 2);
  const Cut cut = CutPeople(table, {.k = 10});
  for (size_t a = 0; a < cut.classes.size(); ++a) {
    for (size_t b = a + 1; b < cut.classes.size(); ++b) {
      bool apart = false;
      for (size_t j = 0; j < 3; ++j) {
        const Bounds x = cut.classes.BoundsOf(a)[j], y = cut.classes.BoundsOf(b)[j];
        apart = apart || x.high < y.low || y.high < x.low;
      }
      EXPECT_TRUE(apart) << a << " and " << b;
    }
    for (const Domain& domain : cut.domains) {  // every cut of the class leaves too few on a side
      std::map<uint32_t, size_t> counts;
      for (const uint32_t row : cut.classes.RowsOf(a)) ++counts[domain.codes[row]];
      size_t left = 0;
      for (const auto& [code, count] : counts) {
        left += count;
        EXPECT_TRUE(left < 10 || cut.classes.RowsOf(a).size() - left < 10);
      }
    }
  }
}

TEST(Mondrian, EveryClassIsAsDiverseAndAsCloseAsAsked) {
  const Table table = People(2000, 3);
  for (const Requirement& wish :
       {Requirement{.l = 3}, Requirement{.l = 2.5, .l_kind = LKind::kEntropy},
        Requirement{.k = 3, .t = 0.3},
        Requirement{.k = 3, .t = 0.1, .distance = Distance::kOrdered}}) {
    const Cut cut = CutPeople(table, wish);
    EXPECT_GT(cut.classes.size(), 10u);
    std::map<uint32_t, double> overall;
    for (const uint32_t code : cut.illness.codes) overall[code] += 1.0 / 2000;
    for (size_t c = 0; c < cut.classes.size(); ++c) {
      std::map<uint32_t, double> share;
      const auto rows = cut.classes.RowsOf(c);
      for (const uint32_t row : rows) {
        share[cut.illness.codes[row]] += 1.0 / static_cast<double>(rows.size());
      }
      double entropy = 0, moved = 0, carried = 0, work = 0;
      for (uint32_t code = 0; code < cut.illness.size(); ++code) {
        const double p = share.contains(code) ? share[code] : 0;
        if (p > 0) entropy -= p * std::log(p);
        moved += std::abs(p - overall[code]) / 2;
        carried += p - overall[code];
        work += std::abs(carried) / static_cast<double>(cut.illness.size() - 1);
      }
      EXPECT_GE((wish.l_kind == LKind::kDistinct ? static_cast<double>(share.size())
                                                 : std::exp(entropy)) +
                    1e-6,
                wish.l);
      EXPECT_LE(wish.distance == Distance::kEqual ? moved : work, wish.t + 1e-6);
    }
  }
}

TEST(Mondrian, AHierarchyIsCutGroupByGroup) {
  const Table table =
      ParseCsv("town\nParis\nParis\nLyon\nLyon\nLima\nRome\nRome\n", "people.csv").value();
  auto tree = std::make_shared<const Hierarchy>(
      ParseHierarchy("Paris;France;*\nLyon;France;*\nRome;Italy;*\nLima;Peru;*\n", "h").value());
  const std::vector<Domain> domains = {MakeDomain(table, 0, {.hierarchy = tree}).value()};
  const std::vector<uint32_t> rows = AllRows(table);
  EXPECT_EQ(Mondrian(domains, rows, {.k = 1}, nullptr)->size(), 4u);
  EXPECT_EQ(Mondrian(domains, rows, {.k = 2}, nullptr)->size(), 1u);  // Lima would stand alone
}

TEST(Mondrian, WhatTheWholeTableDoesNotFulfilIsSaid) {
  const Table table = People(50, 4);
  const Cut cut = CutPeople(table, {});
  const std::vector<uint32_t> rows = AllRows(table);
  SensitiveColumn sensitive(cut.illness.codes, cut.illness.size(), rows, Distance::kEqual);
  EXPECT_EQ(Mondrian(cut.domains, rows, {.k = 51}, nullptr).error().public_message,
            "k is 51, but the table has only 50 rows");
  EXPECT_THAT(Mondrian(cut.domains, rows, {.l = 40}, &sensitive).error().public_message,
              testing::HasSubstr("l is 40, but the whole table has only "));
}

}  // namespace
}  // namespace tacit::anonymize
