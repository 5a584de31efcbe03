#include "engine/duckdb/functions/aggregates/cell_counter.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/duckdb/database/database.h"

namespace tacit::engine::duckdb {
namespace {

using CountedCells = std::vector<noise::FullCells::Cell>;

CountedCells ListedCells(const std::map<uint64_t, uint64_t>& rows) {
  CountedCells cells;
  for (const auto& [cell, count] : rows) cells.push_back({cell, count});
  return cells;
}

// Few and many rows, few and many cells, put together from several counters in any order.
TEST(CellCounter, CountsWhatAMapCounts) {
  uint64_t state = 7;
  for (const size_t rows : {size_t{0}, size_t{1}, size_t{2000}, size_t{70'000}, size_t{500'000}}) {
    for (const uint64_t cells : {uint64_t{1}, uint64_t{100}, uint64_t{1} << 21}) {
      std::map<uint64_t, uint64_t> expected;
      CellCounter counters[3];
      for (size_t i = 0; i < rows; ++i) {
        state = state * 6364136223846793005 + 1442695040888963407;
        const uint64_t cell = (state >> 33) % cells;
        ++expected[cell];
        counters[i % 7 < 5 ? 0 : i % 3].Add(static_cast<int64_t>(cell));
      }
      counters[1].Add(counters[2]);
      counters[0].Add(counters[1]);
      EXPECT_EQ(counters[0].Counted(), ListedCells(expected)) << rows << " " << cells;
      EXPECT_EQ(counters[0].Counted(), ListedCells(expected));
    }
  }
}

TEST(CellCounter, PutsWhatIsOutsideIntoTheNearestCell) {
  CellCounter counter;
  for (const int64_t cell : {int64_t{-1}, INT64_MIN, INT64_MAX, CellCounter::kCellsMax}) {
    counter.Add(cell);
  }
  EXPECT_EQ(counter.Counted(), (CountedCells{{0, 2}, {CellCounter::kCellsMax - 1, 2}}));
}

// Against the engine's own histogram: by groups and without, filtered, over several threads.
TEST(FullCells, AreThoseOfTheEnginesHistogram) {
  const Database database = Database::OpenForImport(":memory:", {.threads = 4}).value();
  Connection connection = database.Connect().value();
  ASSERT_FALSE(connection.Execute(
      "CREATE TABLE t AS SELECT hash(i) % 5 AS k, CASE WHEN i % 13 <> 0 THEN CAST(hash(i, 1) % "
      "300000 AS BIGINT) END AS c, i % 7 AS x FROM range(400000) r(i)"));
  const std::string counted = "tacit_full_cells(c)";
  const std::string few = "tacit_full_cells(c) FILTER (WHERE x = 1 AND c < 50)";
  const auto words = [](const std::string& histogram) {
    return "flatten(list_transform(map_entries(" + histogram +
           "), lambda e: [CAST(e.key AS UBIGINT), e.value]))";
  };
  for (const char* by : {" GROUP BY k", " GROUP BY k, x", ""}) {
    for (const char* where : {"true", "x = 3", "c < 10", "false"}) {
      ResultTable table;
      const std::optional<Failure> failure = connection.Query(
          {.sql = "SELECT coalesce(" + counted + ", []) = coalesce(" + words("histogram(c)") +
                  ", []), coalesce(" + few + ", []) = coalesce(" +
                  words("histogram(c) FILTER (WHERE x = 1 AND c < 50)") + ", []) FROM t WHERE " +
                  where + by},
          100, &table);
      ASSERT_FALSE(failure) << failure->text;
      for (const std::vector<Value>& row : table.rows) {
        EXPECT_EQ(row[0], Value(true)) << by << " " << where;
        EXPECT_EQ(row[1], Value(true)) << by << " " << where;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::engine::duckdb
