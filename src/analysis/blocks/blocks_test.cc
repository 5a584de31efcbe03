#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/blocks/keys/public_keys.h"
#include "analysis/testing/asked.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using ::testing::ElementsAre;
using testing::FactsOf;
using testing::RuleOf;
using ::testing::SizeIs;

Key KeyOf(const std::string& key) {
  return BlockOf("SELECT " + key + ", count(*) FROM people GROUP BY 1").keys.at(0);
}

TEST(Keys, ArePublicWhereEveryColumnHasDeclaredKeys) {
  EXPECT_TRUE(KeyOf("sex").IsPublic());
  EXPECT_TRUE(KeyOf("lower(sex)").IsPublic());
  EXPECT_TRUE(KeyOf("born / 10").IsPublic());
  EXPECT_FALSE(KeyOf("city").IsPublic());
  EXPECT_FALSE(KeyOf("sex || city").IsPublic()) << "one private column is enough";
}

TEST(Keys, AreNotPublicWhereTheyAreMadeOfAReleasedValue) {
  const Facts facts =
      FactsOf("SELECT count(*) FROM people GROUP BY sex || (SELECT count(*) FROM people)::text");
  ASSERT_THAT(facts.blocks, SizeIs(2));
  EXPECT_FALSE(facts.blocks[1].keys.at(0).IsPublic());
}

TEST(Keys, OfACaseAreTheLiteralsThatItLists) {
  const Key listed = KeyOf("CASE WHEN city = 'Rome' THEN 'here' ELSE 'there' END");
  EXPECT_THAT(listed.outcomes, SizeIs(2));
  EXPECT_TRUE(listed.IsPublic());
  EXPECT_FALSE(KeyOf("CASE WHEN city = 'Rome' THEN 'here' END").IsPublic()) << "it may be NULL";
  EXPECT_FALSE(KeyOf("CASE WHEN city = 'Rome' THEN 'here' ELSE city END").IsPublic());
}

TEST(Keys, OfACaseInsideEachPersonAreItsLiteralsToo) {
  const Block block = BlockOf(
      "SELECT k, count(*) FROM (SELECT pid, CASE WHEN count(*) > 1 THEN 'many' ELSE 'one' END AS k "
      "FROM visits GROUP BY pid) q GROUP BY k");
  EXPECT_THAT(block.keys.at(0).outcomes, SizeIs(2));
}

TEST(Keys, OfAPublicTableArePublic) {
  const Block block =
      BlockOf("SELECT floor, count(*) FROM visits JOIN wards USING (ward) GROUP BY floor");
  EXPECT_TRUE(block.keys.at(0).IsPublic());
}

TEST(Keys, AreRefusedWhereTheyNamePeopleOrAreTooMany) {
  EXPECT_EQ(RuleOf("SELECT pid / 10, count(*) FROM people GROUP BY 1"), "unit_as_key");
  EXPECT_EQ(RuleOf("SELECT owner % 2, count(*) FROM cards GROUP BY 1"), "unit_as_key");
  EXPECT_EQ(RuleOf("SELECT born, count(*) FROM people GROUP BY born"), "");
  EXPECT_EQ(RuleOf("SELECT born, seen, count(*) FROM people GROUP BY born, seen"), "too_many_keys");
}

TEST(Keys, AreNarrowedByConditionsOnPublicKeysAlone) {
  const Block block = BlockOf(
      "SELECT sex, count(*) FROM people WHERE sex <> 'M' AND age > 3 AND (sex = 'F' OR age > 9) "
      "GROUP BY sex");
  ASSERT_THAT(block.key_filters, SizeIs(1));
  EXPECT_EQ(sql::PrintCanonical(block.key_filters[0]), "'M' <> t1.sex");
  EXPECT_THAT(block.rows.filters, SizeIs(3));
}

TEST(Keys, AnExpressionWithoutColumnsIsNone) {
  EXPECT_TRUE(BlockOf("SELECT 1, count(*) FROM people GROUP BY 1").keys.empty());
}

TEST(Blocks, TheSameQuestionIsPaidOnceHoweverItIsWritten) {
  EXPECT_THAT(FactsOf("SELECT a.n, b.n FROM (SELECT count(*) AS n FROM people WHERE age > 3 AND "
                      "sex = 'F') a, (SELECT count(*) AS n FROM people p WHERE p.sex = 'F' AND 3 < "
                      "p.age) b")
                  .blocks,
              SizeIs(1));
  EXPECT_THAT(FactsOf("SELECT a.n, b.n FROM (SELECT count(*) AS n FROM people WHERE age > 3) a, "
                      "(SELECT count(*) AS n FROM people WHERE age > 4) b")
                  .blocks,
              SizeIs(2));
}

TEST(Blocks, AnAverageUsesTheSumThatIsAskedForAnyway) {
  EXPECT_THAT(BlockOf("SELECT avg(age), sum(age), count(age) FROM people").measures, SizeIs(2));
  EXPECT_THAT(BlockOf("SELECT avg(age), sum(days) FROM people JOIN visits USING (pid)").measures,
              SizeIs(3));
}

TEST(Blocks, WhatNothingUsesIsCheckedAndNotPaid) {
  EXPECT_THAT(FactsOf("WITH q AS (SELECT count(*) FROM people) SELECT count(*) FROM visits").blocks,
              SizeIs(1));
  EXPECT_EQ(RuleOf("WITH q AS (SELECT name FROM people WHERE name = 'x') SELECT count(*) FROM "
                   "visits"),
            "hidden_column");
}

TEST(Blocks, AConstantNamesTheBlocksThatItIsMadeFrom) {
  const Facts facts =
      FactsOf("SELECT count(*) FROM people WHERE age > (SELECT avg(days) FROM visits)");
  ASSERT_THAT(facts.blocks, SizeIs(2));
  EXPECT_THAT(facts.blocks[1].made_from, ElementsAre(0u));
  ASSERT_THAT(facts.blocks[1].constants, SizeIs(1));
  EXPECT_EQ(facts.blocks[1].constants[0].type.kind, sql::TypeKind::kDouble);
}

TEST(Frontier, ShowsKeysAndAggregatesAndRowsNever) {
  EXPECT_EQ(RuleOf("SELECT age FROM people"), "rows_out");
  EXPECT_EQ(RuleOf("SELECT age, count(*) FROM people"), "ungrouped_column");
  EXPECT_EQ(RuleOf("SELECT sum(count(*)) FROM people"), "nested_aggregate");
  EXPECT_EQ(RuleOf("SELECT sex, count(*) FROM people GROUP BY sex HAVING age > 3"),
            "ungrouped_column");
  EXPECT_EQ(RuleOf("SELECT string_agg(city, ',') FROM people"), "aggregate_without_rule");
  EXPECT_EQ(RuleOf("SELECT upper(sex), 2 * count(*) FROM people GROUP BY sex ORDER BY 2"), "");
}

TEST(Frontier, AColumnThatIsShownUnchangedIsKnownAsSuch) {
  const Facts facts = FactsOf("SELECT sex, count(*), 2 * count(*) FROM people GROUP BY sex");
  ASSERT_THAT(facts.columns, SizeIs(3));
  EXPECT_FALSE(facts.columns[0].shows);
  EXPECT_EQ(facts.columns[1].shows, std::pair(size_t{0}, size_t{0}));
  EXPECT_FALSE(facts.columns[2].shows);
}

TEST(Levels, OfPublicKeysAreSumsOfOneRelease) {
  const Facts facts =
      FactsOf("SELECT sex, born, count(*), avg(age) FROM people GROUP BY ROLLUP (sex, born)");
  ASSERT_THAT(facts.blocks, SizeIs(1));
  ASSERT_THAT(facts.levels, SizeIs(1));
  EXPECT_EQ(facts.levels[0].name, "tacit_release_1 (k1, k2) (k2) ()");
}

TEST(Levels, OfPrivateKeysAndOfWhatDoesNotAddUpAreReleasedEach) {
  const Facts apart = FactsOf("SELECT city, count(*) FROM people GROUP BY ROLLUP (city)");
  EXPECT_THAT(apart.blocks, SizeIs(2));
  EXPECT_THAT(apart.levels, SizeIs(0));
  const Facts both = FactsOf("SELECT sex, count(*), max(age) FROM people GROUP BY ROLLUP (sex)");
  EXPECT_THAT(both.blocks, SizeIs(2)) << "the finest level of both is one release";
  EXPECT_THAT(both.levels, SizeIs(1));
}

TEST(Levels, OfPublicKeysAgreeBesideThoseOfPrivateKeys) {
  const Facts facts =
      FactsOf("SELECT sex, born, city, count(*) FROM people GROUP BY ROLLUP (sex, born, city)");
  EXPECT_THAT(facts.blocks, SizeIs(2)) << "by all keys, and by the public ones";
  ASSERT_THAT(facts.levels, SizeIs(1));
  EXPECT_THAT(facts.levels[0].sets, SizeIs(3));
}

TEST(Levels, ThatAreNoTotalsAreReleasedAsHasLessError) {
  EXPECT_THAT(FactsOf("SELECT count(*) FROM people GROUP BY GROUPING SETS (sex, born)").levels,
              SizeIs(0));
  EXPECT_THAT(FactsOf("SELECT count(*) FROM people GROUP BY GROUPING SETS (sex, sex = 'F')").levels,
              SizeIs(1));
  EXPECT_THAT(FactsOf("SELECT count(*) FROM people GROUP BY GROUPING SETS (sex, born, ())").levels,
              SizeIs(1))
      << "a total agrees with its parts";
}

}  // namespace
}  // namespace tacit::analysis
