#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "policy/load.h"

namespace tacit::policy {
namespace {

using ::testing::HasSubstr;

Result<Policy> WithTrino(const std::string& engine) {
  return Parse("tacit: 1\nengine: " + engine +
                   "\nledger: {kind: sqlite, path: ledger.sqlite}\nprivacy:\n  neighbours: "
                   "add_remove\n  accounting: pure\n  budget: {epsilon: 1, delta: 0.1}\n  query: "
                   "{epsilon: 1, epsilon_max: 1, delta: 1e-9}\ntables:\n  people: {unit: row}\n",
               "t.yaml");
}

std::string SaidBy(const Result<Policy>& result) {
  return result.ok() ? "(no error)" : result.error().public_message + result.error().hint;
}

TEST(TrinoEngineSection, SaysWhereAClusterIs) {
  ::setenv("TACIT_TEST_PASSWORD", "hush", 1);
  const Result<Policy> read = WithTrino(
      "{kind: trino, url: \"https://trino:8443/\", catalog: Hive, schema: Care, user: t, password: "
      "env:TACIT_TEST_PASSWORD, ca: ca.pem, session: {join_distribution_type: PARTITIONED}, "
      "unique: "
      "[people.id]}");
  ASSERT_TRUE(read.ok()) << SaidBy(read);
  const auto& cluster = std::get<TrinoSettings>(read->engine);
  EXPECT_EQ(cluster.url, "https://trino:8443");
  EXPECT_EQ(cluster.catalog + "." + cluster.schema, "hive.care");
  EXPECT_EQ(cluster.user + ":" + cluster.password, "t:hush");
  EXPECT_THAT(cluster.authorities, ::testing::EndsWith("/ca.pem"));
  EXPECT_EQ(cluster.session.at(0).second, "PARTITIONED");
  EXPECT_EQ(cluster.unique.at(0), (ColumnOfTable{"people", "id"}));
}

TEST(TrinoEngineSection, TellsNobodyAPassword) {
  const auto with = [](const std::string& rest) {
    return WithTrino("{kind: trino, catalog: c, schema: s, " + rest + "}");
  };
  EXPECT_TRUE(with("url: http://localhost:8080").ok());
  EXPECT_THAT(SaidBy(with("url: http://localhost, password: env:HOME")),
              HasSubstr("readable by anybody"));
  EXPECT_THAT(SaidBy(with("url: https://localhost, password: hush")),
              HasSubstr("stands there itself"));
  for (const char* url : {"https://ana:hush@db", "trino:8443", "ftp://db", "https://",
                          "https://a/b", "https://a b", "https://a?b", "https://a#b"}) {
    const Result<Policy> read = with(std::string("url: \"") + url + "\"");
    EXPECT_FALSE(read.ok()) << url;
    EXPECT_THAT(SaidBy(read), ::testing::Not(HasSubstr("hush")));
  }
  EXPECT_FALSE(with("url: http://db, session: {query_max_run_time: 1d}").ok());
  EXPECT_FALSE(with("url: http://db, session: {\"a b\": 1}").ok());
  EXPECT_FALSE(with("url: http://db, unique: [id]").ok());
  EXPECT_FALSE(with("url: http://db, user: \"a b\"").ok());
  EXPECT_FALSE(with("url: http://db, dsn: x").ok());
}

}  // namespace
}  // namespace tacit::policy
