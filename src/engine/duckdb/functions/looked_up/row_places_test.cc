#include "engine/duckdb/functions/looked_up/row_places.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/functions/own_functions.h"

namespace tacit::engine::duckdb {
namespace {

class RowPlacesTest : public ::testing::Test {
 protected:
  std::shared_ptr<RowPlaces> Make(uint64_t rows, uint64_t rows_per_unit) {
    const std::string path = ::testing::TempDir() + "places-" + std::to_string(::getpid());
    return RowPlaces::Make(path, rows, rows_per_unit).value();
  }
  // Rows of (row, begins, hash) in their order.
  bool Read(RowPlaces& places, const std::string& values) {
    bool good = true;
    const auto failure = connection_.Run(
        {.sql = "SELECT CAST(a AS BIGINT), b, CAST(c AS UBIGINT) FROM (VALUES " + values +
                ") t(a, b, c)"},
        nullptr, [&](duckdb_data_chunk chunk) { return good = places.Read(chunk); });
    EXPECT_EQ(failure.has_value(), !good);
    return good;
  }
  // Number, rank and ties of each row of range(rows), through the functions.
  std::string Shown(const RowPlaces& places, int rows) {
    const std::string bits = std::to_string(kRankBits);
    ResultTable table;
    const auto failure = connection_.Query(
        {.sql = "SELECT coalesce(string_agg(coalesce((p >> " + bits + ") || ':' || (p & ((1 << " +
                bits +
                ") - 1)), '-') || CASE WHEN t THEN '=' ELSE '' END, ' ' ORDER BY i), '') "
                "FROM (SELECT i, tacit_row_place(i, CAST($1 AS BIGINT)) AS p, tacit_row_ties(i, "
                "CAST($1 AS BIGINT)) AS t FROM range(" +
                std::to_string(rows) + ") r(i))",
         .parameters = {Value(places.name())}},
        1, &table);
    EXPECT_FALSE(failure) << failure->text;
    return failure ? "" : ToText(table.rows[0][0]);
  }

  Database database_ = Database::OpenForImport(":memory:", {.threads = 2}).value();
  Connection connection_ = database_.Connect().value();
};

TEST_F(RowPlacesTest, NumbersUnitsByTheirFirstPlaceAndCutsAtTheCap) {
  const auto places = Make(8, 2);
  ASSERT_TRUE(Read(*places,
                   "(3, true, 5), (1, false, 6), (0, false, 7), (6, true, 1), "
                   "(5, true, 1), (2, false, 9)"));
  // Row 0 is the third of its unit; nothing was said of rows 4 and 7, and 8 is no row.
  EXPECT_EQ(Shown(*places, 9), "- 1:1 4:1 1:0 - 4:0 3:0 - -");
  EXPECT_EQ(places->placed(), 5u);
  EXPECT_FALSE(places->has_ties());
}

TEST_F(RowPlacesTest, RemembersWhichRowsOfAUnitHaveOneHash) {
  const auto places = Make(6, 2);
  // Between units the same hash is no tie; beyond the cap it still is.
  ASSERT_TRUE(Read(*places,
                   "(0, true, 4), (1, true, 4), (2, false, 5), (3, false, 8), "
                   "(4, false, 8), (5, true, 8)"));
  EXPECT_TRUE(places->has_ties());
  EXPECT_EQ(Shown(*places, 6), "1:0 2:0 2:1 -= -= 4:0");
  places->Clear();
  EXPECT_FALSE(places->has_ties());
  EXPECT_EQ(Shown(*places, 6), "- - - - - -");
  ASSERT_TRUE(Read(*places, "(5, true, 8)"));
  EXPECT_EQ(Shown(*places, 6), "- - - - - 1:0");
}

TEST_F(RowPlacesTest, RefusesRowsOutOfOrderARowTwiceAndOneThatIsNotOfTheTable) {
  EXPECT_FALSE(Read(*Make(2, 5), "(0, true, 2), (1, false, 1)"));
  EXPECT_TRUE(Read(*Make(2, 5), "(0, true, 2), (1, true, 1)"));
  EXPECT_FALSE(Read(*Make(2, 5), "(0, true, 1), (2, true, 1)"));
  EXPECT_FALSE(Read(*Make(2, 5), "(0, true, 1), (-1, true, 1)"));
  EXPECT_FALSE(Read(*Make(2, 5), "(0, true, 1), (1, true, 1), (0, true, 1)"));
  EXPECT_TRUE(Read(*Make(2, 5), "(0, true, 1), (1, true, 1)"));
}

TEST_F(RowPlacesTest, FailsWithoutItsPlacesAndWithoutItsFile) {
  const int64_t name = Make(1, 1)->name();
  for (const char* function : {"tacit_row_place", "tacit_row_ties"}) {
    ResultTable table;
    EXPECT_TRUE(connection_.Query(
        {.sql = std::string("SELECT ") + function + "(i, CAST($1 AS BIGINT)) FROM range(3) r(i)",
         .parameters = {Value(name)}},
        3, &table));
  }
  const auto nowhere = RowPlaces::Make(::testing::TempDir() + "nowhere/places", 10, 1);
  ASSERT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.error().public_message.find("nowhere/places"), std::string::npos);
  // More than any disk: refused before a row is read, and nothing is left.
  const std::string path = ::testing::TempDir() + "places-large";
  EXPECT_FALSE(RowPlaces::Make(path, uint64_t{1} << 58, 1).ok());
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace tacit::engine::duckdb
