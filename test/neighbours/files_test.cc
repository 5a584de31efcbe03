#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/golden_case.h"
#include "world.h"

// Files that are read in place answer as they do when they are imported, number for number, with
// the same random tape: every accepted case of test/sql, over three Parquet files a table.

namespace tacit::neighbours {
namespace {

using Files = World::Files;

std::vector<golden::Case> AcceptedCasesOf(const std::string& database) {
  std::vector<golden::Case> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
    if (entry.path().extension() != ".test") continue;
    const Result<std::vector<golden::Case>> read = golden::ReadCases(entry.path().string());
    EXPECT_TRUE(read.ok()) << entry.path();
    for (const golden::Case& test : *read) {
      if (test.database == database && !test.refused_by) cases.push_back(test);
    }
  }
  return cases;
}

std::vector<std::string> Sorted(const engine::PackedRows& rows) {
  std::vector<std::string> texts;
  for (const std::vector<engine::Value>& row : rows) {
    std::string& text = texts.emplace_back();
    for (const engine::Value& value : row) text += engine::ToText(value) + "|";
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Rows of public tables come in the order that they are stored in, where nothing else is asked for.
enum class Order { kSame, kOfPublicTables };

// How many were answered.
size_t ExpectSameAnswers(const std::string& database, World& one, World& other,
                         Order order = Order::kSame) {
  uint64_t seed = 0;
  size_t answered = 0;
  for (const golden::Case& test : AcceptedCasesOf(database)) {
    SCOPED_TRACE(test.query);
    const gateway::Request request{.text = test.query, .analyst = "", .request_id = "", .wish = {}};
    const World::Seen a = one.Ask(request, ++seed);
    const World::Seen b = other.Ask(request, seed);
    // EXPLAIN says how the data is stored.
    if (test.query.starts_with("EXPLAIN")) continue;
    EXPECT_EQ(a.said, b.said);
    if (order == Order::kSame) {
      EXPECT_EQ(a.rows, b.rows);
    }
    EXPECT_EQ(Sorted(a.rows), Sorted(b.rows));
    answered += a.answered ? 1 : 0;
  }
  EXPECT_EQ(one.Ledger(), other.Ledger());
  return answered;
}

// Far more rows than any cap, so that it matters which of them stay.
constexpr char kCrowd[] =
    "INSERT INTO ride SELECT 10000 + i, i % 40, (i * 7) % 60 - 5, CASE WHEN i % 5 = 0 THEN 'n' "
    "WHEN i % 5 = 1 THEN 'w' ELSE 's' END, DATE '2024-02-01' + CAST(i % 50 AS INTEGER) FROM "
    "range(400) t(i); UPDATE member SET weight = weight + 0.001 * id";

class EachInPlace : public ::testing::TestWithParam<std::string> {};

TEST_P(EachInPlace, AnswersAreThoseOfImportedTables) {
  const auto imported = World::MakeOfFiles(GetParam(), kCrowd, Files::kImported, false);
  const auto in_place = World::MakeOfFiles(GetParam(), kCrowd, Files::kInPlace, false);
  EXPECT_GT(ExpectSameAnswers(GetParam(), *imported, *in_place), 5u);
}

TEST_P(EachInPlace, AnswersAreThoseOfThePreparedCopy) {
  const auto plain = World::MakeOfFiles(GetParam(), kCrowd, Files::kInPlace, false);
  const auto prepared = World::MakeOfFiles(GetParam(), kCrowd, Files::kInPlace, true);
  EXPECT_GT(ExpectSameAnswers(GetParam(), *plain, *prepared), 5u);
}

INSTANTIATE_TEST_SUITE_P(EveryDatabase, EachInPlace,
                         ::testing::Values("club", "replaced", "rho", "capped", "required"),
                         [](const auto& of) { return of.param; });

// Which file a row stands in, and how many there are, is told to nobody.
TEST(InPlace, RowsMayStandInAnyNumberOfFiles) {
  const auto few = World::MakeOfFiles("club", kCrowd, Files::kInPlace, false, 1);
  const auto many = World::MakeOfFiles("club", kCrowd, Files::kInPlace, false, 5);
  EXPECT_GT(ExpectSameAnswers("club", *few, *many, Order::kOfPublicTables), 5u);
}

// One person fewer: everything that is said stays, but what noise was paid for.
TEST(InPlace, OnePersonChangesNothingThatIsSaid) {
  const std::string without =
      std::string(kCrowd) +
      ";DELETE FROM stop WHERE ride_id IN (SELECT ride_id FROM ride WHERE member_id = 5);"
      "DELETE FROM ride WHERE member_id = 5; DELETE FROM sale WHERE member_id = 5; DELETE FROM "
      "member WHERE id = 5";
  const auto one = World::MakeOfFiles("club", kCrowd, Files::kInPlace, false);
  const auto other = World::MakeOfFiles("club", without, Files::kInPlace, false, 4);
  EXPECT_EQ(one->schema(), other->schema());
  uint64_t seed = 0;
  size_t differ = 0;
  for (const golden::Case& test : AcceptedCasesOf("club")) {
    SCOPED_TRACE(test.query);
    const gateway::Request request{.text = test.query, .analyst = "", .request_id = "", .wish = {}};
    const World::Seen a = one->Ask(request, ++seed);
    const World::Seen b = other->Ask(request, seed);
    EXPECT_EQ(a.said, b.said);
    EXPECT_EQ(a.balance, b.balance);
    differ += a.rows == b.rows ? 0 : 1;
  }
  EXPECT_GT(differ, 0u) << "she counts somewhere";
}

// Other tables: units that are rows, numbers at the edges, types of all kinds.
class SmallInPlace : public ::testing::TestWithParam<std::string> {};

TEST_P(SmallInPlace, AnswersAreThoseOfImportedTables) {
  const auto imported = World::MakeOfFiles(GetParam(), "", Files::kImported, false);
  const auto in_place = World::MakeOfFiles(GetParam(), "", Files::kInPlace, false);
  EXPECT_GT(ExpectSameAnswers(GetParam(), *imported, *in_place), 0u);
}

INSTANTIATE_TEST_SUITE_P(EveryDatabase, SmallInPlace,
                         ::testing::Values("clinic", "edges", "numbers", "mixed", "crowd", "zones",
                                           "diary", "grades"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace tacit::neighbours
