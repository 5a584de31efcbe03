#include "wire/pg/state/transaction.h"

#include "wire/pg/state/commands.h"
#include "wire/pg/state/testing.h"

namespace tacit::wire::pg {
namespace {

// A session that remembers nothing but what these commands leave.
struct Told {
  SessionState state = NewState();

  CommandDone Run(const std::string& text) {
    Result<CommandDone> done = RunCommand(CommandOf(text), state);
    EXPECT_TRUE(done.ok()) << text;
    return done.ok() ? *done : CommandDone{};
  }
  std::string Value(const std::string& name) const { return state.settings.Show(name).value(); }
};

TEST(Transaction, SaysWhereItStands) {
  Told told;
  EXPECT_EQ(StatusOf(told.state.transaction), 'I');
  EXPECT_EQ(told.Run("BEGIN").tag, "BEGIN");
  EXPECT_EQ(StatusOf(told.state.transaction), 'T');
  EXPECT_STREQ(told.Run("START TRANSACTION").warning_state, "25001");
  FailBlock(told.state.transaction);
  EXPECT_EQ(StatusOf(told.state.transaction), 'E');
  EXPECT_EQ(told.Run("COMMIT").tag, "ROLLBACK");
  EXPECT_EQ(StatusOf(told.state.transaction), 'I');
  EXPECT_STREQ(told.Run("ROLLBACK").warning_state, "25P01");
  told.Run("BEGIN");
  told.Run("COMMIT AND CHAIN");
  EXPECT_EQ(StatusOf(told.state.transaction), 'T');
}

TEST(Transaction, AFailedBlockAcceptsNothingButItsEnd) {
  Told told;
  told.Run("BEGIN");
  FailBlock(told.state.transaction);
  for (const char* text : {"SELECT 1", "SET x.y = 1", "SAVEPOINT s", "BEGIN", "RELEASE s"}) {
    EXPECT_EQ(RuleOf(CheckBlock(told.state.transaction, CommandOf(text))),
              "in_failed_sql_transaction")
        << text;
  }
  for (const char* text : {"ROLLBACK", "COMMIT", "ROLLBACK TO s"}) {
    EXPECT_TRUE(CheckBlock(told.state.transaction, CommandOf(text)).ok()) << text;
  }
}

TEST(Transaction, AnErrorOutsideABlockFailsNothing) {
  Told told;
  FailBlock(told.state.transaction);
  EXPECT_EQ(StatusOf(told.state.transaction), 'I');
}

TEST(Transaction, SettingsGoBackWithIt) {
  Told told;
  told.Run("SET tacit.epsilon = 0.5");
  told.Run("BEGIN");
  told.Run("SET tacit.epsilon = 0.25");
  told.Run("SAVEPOINT s");
  told.Run("SET tacit.epsilon = 0.125");
  told.Run("ROLLBACK TO s");
  EXPECT_EQ(told.Value("tacit.epsilon"), "0.25");
  told.Run("ROLLBACK");
  EXPECT_EQ(told.Value("tacit.epsilon"), "0.5");
}

TEST(Transaction, CursorsEndWithWhatDeclaredThem) {
  Told told;
  Portals& portals = told.state.portals;
  ASSERT_TRUE(portals.Add("earlier", Cursor(true)).ok());
  told.Run("BEGIN");
  ASSERT_TRUE(portals.Add("before", Cursor()).ok());
  told.Run("SAVEPOINT s");
  ASSERT_TRUE(portals.Add("after", Cursor(true)).ok());
  told.Run("SAVEPOINT t");
  told.Run("RELEASE t");
  told.Run("ROLLBACK TO s");
  EXPECT_EQ(portals.Find("after"), nullptr);
  EXPECT_NE(portals.Find("before"), nullptr);
  ASSERT_TRUE(portals.Add("held", Cursor(true)).ok());
  told.Run("ROLLBACK");
  EXPECT_EQ(portals.Find("before"), nullptr);
  EXPECT_EQ(portals.Find("held"), nullptr) << "WITH HOLD holds what was committed";
  EXPECT_NE(portals.Find("earlier"), nullptr);
  told.Run("BEGIN");
  ASSERT_TRUE(portals.Add("held", Cursor(true)).ok());
  ASSERT_TRUE(portals.Add("plain", Cursor()).ok());
  told.Run("COMMIT");
  EXPECT_NE(portals.Find("held"), nullptr);
  EXPECT_EQ(portals.Find("plain"), nullptr);
}

TEST(Transaction, SavepointsAreFoundByTheirLastNameAndLimited) {
  Told told;
  EXPECT_EQ(RuleOf(RunCommand(CommandOf("SAVEPOINT s"), told.state)), "no_active_sql_transaction");
  told.Run("BEGIN");
  EXPECT_EQ(RuleOf(RunCommand(CommandOf("RELEASE s"), told.state)), "savepoint_exception");
  for (int i = 0; i < 1000; ++i) told.Run("SAVEPOINT s");
  EXPECT_EQ(RuleOf(RunCommand(CommandOf("SAVEPOINT s"), told.state)), "program_limit_exceeded");
  told.Run("RELEASE s");
  EXPECT_EQ(told.state.transaction.savepoints.size(), 999u);
}

}  // namespace
}  // namespace tacit::wire::pg
