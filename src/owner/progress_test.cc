#include "owner/progress.h"

#include <gtest/gtest.h>

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;

TEST(Progress, APartReportsItsShareOfTheWhole) {
  std::vector<double> seen;
  const Progress whole = [&](const std::string& table, double percent) {
    EXPECT_EQ(table, "visits");
    seen.push_back(percent);
    return percent < 60;
  };
  const Progress part = Between(whole, 20, 70);
  EXPECT_TRUE(part("visits", 0));
  EXPECT_TRUE(part("visits", 50));
  EXPECT_FALSE(part("visits", 100)) << "what the whole says ends the part";
  EXPECT_TRUE(part("visits", -1)) << "unknown stays unknown";
  EXPECT_EQ(seen, (std::vector<double>{20, 45, 70, -1}));
  EXPECT_FALSE(Between(nullptr, 0, 100));
}

TEST(Progress, PartsFollowEachOtherByTheirWeight) {
  std::vector<double> seen;
  const Progress whole = [&](const std::string&, double percent) {
    seen.push_back(percent);
    return true;
  };
  for (size_t part = 0; part < 3; ++part) {
    const Progress own = PartOf(whole, {1, 8, 1}, part);
    own("t", 0);
    own("t", 100);
  }
  EXPECT_EQ(seen, (std::vector<double>{0, 10, 10, 90, 90, 100}));
  EXPECT_FALSE(PartOf(nullptr, {1}, 0));
}

TEST(Progress, AStatementRunsToItsEndOrIsInterrupted) {
  const Database database = Database::OpenInMemory({.threads = 1}).value();
  Connection connection = database.Connect().value();
  std::vector<double> seen;
  const auto failure = RunWithProgress(connection, {.sql = "CREATE TABLE t AS SELECT 1 AS x"}, "t",
                                       [&](const std::string&, double percent) {
                                         seen.push_back(percent);
                                         return true;
                                       });
  EXPECT_FALSE(failure.has_value()) << failure->text;
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back(), 100) << "the end is always told";
  // Without the interruption it would take years.
  const auto stopped = RunWithProgress(
      connection,
      {.sql = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"}, "t",
      [](const std::string&, double) { return false; });
  ASSERT_TRUE(stopped.has_value());
  EXPECT_EQ(stopped->type, DUCKDB_ERROR_INTERRUPT);
  EXPECT_FALSE(connection.Execute("SELECT 1").has_value()) << "the connection goes on";
}

}  // namespace
}  // namespace tacit::owner
