#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "policy/load.h"

namespace tacit::policy {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<Policy> WithPostgres(const std::string& engine) {
  return Parse("tacit: 1\nengine: " + engine +
                   "\nledger: {kind: sqlite, path: ledger.sqlite}\nprivacy:\n  neighbours: "
                   "add_remove\n  accounting: pure\n  budget: {epsilon: 1, delta: 0.1}\n  query: "
                   "{epsilon: 1, epsilon_max: 1, delta: 1e-9}\ntables:\n  people: {unit: row}\n",
               "t.yaml");
}

std::string MessageWith(const Result<Policy>& result) {
  return result.ok() ? "(no error)" : result.error().public_message;
}
std::string HintWith(const Result<Policy>& result) {
  return result.ok() ? "(no error)" : result.error().hint;
}

TEST(PostgresEngineSection, SaysWhereAServerIs) {
  ::setenv("TACIT_TEST_PASSWORD", "hush", 1);
  const Result<Policy> read = WithPostgres(
      "{kind: postgres, dsn: \"host=db dbname=clinic\", password: env:TACIT_TEST_PASSWORD, schema: "
      "care}");
  ASSERT_TRUE(read.ok()) << MessageWith(read);
  const auto& server = std::get<PostgresSettings>(read->engine);
  EXPECT_EQ(server.dsn, "host=db dbname=clinic");
  EXPECT_EQ(server.password, "hush");
  EXPECT_EQ(server.schema, "care");
  EXPECT_EQ(
      std::get<PostgresSettings>(WithPostgres("{kind: postgres, dsn: dbname=x}")->engine).schema,
      "public");
}

TEST(PostgresEngineSection, KeepsPasswordsOutOfPolicies) {
  for (const char* dsn : {"host=db password=hush", "postgres://tacit:hush@db/clinic"}) {
    const Result<Policy> read = WithPostgres(std::string("{kind: postgres, dsn: \"") + dsn + "\"}");
    EXPECT_THAT(MessageWith(read), StartsWith("t.yaml:2:31: the dsn holds a password"));
    EXPECT_THAT(HintWith(read), HasSubstr("password: env:NAME"));
    EXPECT_THAT(MessageWith(read) + HintWith(read), ::testing::Not(HasSubstr("hush")));
  }
  const Result<Policy> plain = WithPostgres("{kind: postgres, dsn: dbname=x, password: hush}");
  EXPECT_THAT(MessageWith(plain), HasSubstr("stands there itself"));
  EXPECT_THAT(MessageWith(plain) + HintWith(plain), ::testing::Not(HasSubstr("hush")));
  EXPECT_THAT(
      MessageWith(WithPostgres("{kind: postgres, dsn: dbname=x, password: env:NO_SUCH_NAME}")),
      HasSubstr("the environment has no NO_SUCH_NAME"));
  EXPECT_THAT(MessageWith(WithPostgres("{kind: postgres}")), HasSubstr("dsn"));
  const auto copies = WithPostgres("{kind: postgres, dsn: dbname=x, prepared: copies}");
  EXPECT_EQ(std::get<PostgresSettings>(copies->engine).prepared, "copies");
  EXPECT_THAT(MessageWith(WithPostgres("{kind: postgres, dsn: dbname=x, prepared: public}")),
              HasSubstr("the schema of the tables themselves"));
  EXPECT_THAT(MessageWith(WithPostgres("{kind: postgres, dsn: dbname=x, path: y}")),
              HasSubstr("path"));
}

}  // namespace
}  // namespace tacit::policy
