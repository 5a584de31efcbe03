#include <gtest/gtest.h>

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

// How many were answered.
size_t ExpectSameAnswers(const std::string& database, World& one, World& other) {
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
    EXPECT_EQ(a.rows, b.rows);
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

class InPlace : public ::testing::TestWithParam<std::string> {};

TEST_P(InPlace, AnswersAreThoseOfImportedTables) {
  const auto imported = World::MakeOfFiles(GetParam(), kCrowd, Files::kImported, false);
  const auto in_place = World::MakeOfFiles(GetParam(), kCrowd, Files::kInPlace, false);
  EXPECT_GT(ExpectSameAnswers(GetParam(), *imported, *in_place), 5u);
}

TEST_P(InPlace, AnswersAreThoseOfThePreparedCopy) {
  const auto plain = World::MakeOfFiles(GetParam(), kCrowd, Files::kInPlace, false);
  const auto prepared = World::MakeOfFiles(GetParam(), kCrowd, Files::kInPlace, true);
  EXPECT_GT(ExpectSameAnswers(GetParam(), *plain, *prepared), 5u);
}

INSTANTIATE_TEST_SUITE_P(EveryDatabase, InPlace,
                         ::testing::Values("club", "replaced", "rho", "capped", "required"),
                         [](const auto& of) { return of.param; });

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
