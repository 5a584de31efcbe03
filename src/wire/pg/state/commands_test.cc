#include "wire/pg/state/commands.h"

#include "wire/pg/state/testing.h"
#include "wire/pg/types/codec.h"

namespace tacit::wire::pg {
namespace {

std::string TagOf(const std::string& text, SessionState& state) {
  const Result<CommandDone> done = RunCommand(CommandOf(text), state);
  return done.ok() ? done->tag : done.error().rule;
}

TEST(Commands, HaveTheTagsThatClientsExpect) {
  SessionState state = NewState();
  EXPECT_EQ(TagOf("SET x.y = 1", state), "SET");
  EXPECT_EQ(TagOf("RESET ALL", state), "RESET");
  EXPECT_EQ(TagOf("LISTEN a", state), "LISTEN");
  EXPECT_EQ(TagOf("UNLISTEN *", state), "UNLISTEN");
  EXPECT_EQ(TagOf("DISCARD PLANS", state), "DISCARD PLANS");
  EXPECT_EQ(TagOf("DISCARD ALL", state), "DISCARD ALL");
  EXPECT_EQ(TagOf("CLOSE ALL", state), "CLOSE CURSOR ALL");
  EXPECT_EQ(TagOf("CLOSE c", state), "cursor_not_found");
  EXPECT_EQ(TagOf("DEALLOCATE ALL", state), "DEALLOCATE ALL");
  EXPECT_EQ(TagOf("DEALLOCATE a", state), "invalid_sql_statement_name");
  EXPECT_EQ(TagOf("SET TRANSACTION READ ONLY", state), "SET");
  EXPECT_EQ(TagOf("DROP TABLE t", state), "read_only_sql_transaction");
}

TEST(Commands, SetLocalOutsideATransactionWarnsAndDoesNothing) {
  SessionState state = NewState();
  const Result<CommandDone> done = RunCommand(CommandOf("SET LOCAL tacit.epsilon = 0.5"), state);
  ASSERT_TRUE(done.ok());
  EXPECT_STREQ(done->warning_state, "25P01");
  EXPECT_EQ(state.settings.Show("tacit.epsilon").value(), "");
  state.transaction.in_batch = true;
  EXPECT_EQ(RunCommand(CommandOf("SET LOCAL tacit.epsilon = 0.5"), state)->warning_state, nullptr);
  EXPECT_EQ(state.settings.Show("tacit.epsilon").value(), "0.5");
}

TEST(Commands, DiscardAllForgetsEverythingButNotInABlock) {
  SessionState state = NewState();
  ASSERT_TRUE(state.portals.Add("c", Cursor(true)).ok());
  ASSERT_TRUE(state.statements.Keep("a", Prepared{}).ok());
  ASSERT_EQ(TagOf("SET tacit.epsilon = 0.5", state), "SET");
  TagOf("BEGIN", state);
  EXPECT_EQ(TagOf("DISCARD ALL", state), "active_sql_transaction");
  TagOf("COMMIT", state);
  EXPECT_EQ(TagOf("DISCARD ALL", state), "DISCARD ALL");
  EXPECT_EQ(state.portals.Find("c"), nullptr);
  EXPECT_EQ(state.statements.Find("a"), nullptr);
  EXPECT_EQ(state.settings.Show("tacit.epsilon").value(), "");
}

TEST(Commands, ShowGivesThePolicysPriceWhereNoneIsSet) {
  SessionState state = NewState();
  policy::QueryPrice price;
  price.epsilon = Epsilon(Rational(1, 10));
  const auto shown = [&] {
    return engine::ToText(Show({"tacit.epsilon"}, state.settings, price)->rows.at(0).at(0));
  };
  EXPECT_EQ(shown(), "0.1");
  TagOf("SET tacit.epsilon = 0.5", state);
  EXPECT_EQ(shown(), "0.5");
  EXPECT_EQ(RuleOf(Show({"nothing"}, state.settings, price)), "undefined_object");
  EXPECT_EQ(Show({"all"}, state.settings, price)->columns.size(), 3u);
}

TEST(Commands, PrepareDeclaresTypesByName) {
  const auto types = [](const std::string& text) {
    return ParameterTypesOf(std::get<sql::PrepareCommand>(CommandOf(text).kind));
  };
  EXPECT_EQ(*types("PREPARE a (int, text, unknown) AS SELECT 1"),
            (std::vector<uint32_t>{oid::kInt4, oid::kText, 0}));
  EXPECT_EQ(RuleOf(types("PREPARE a (point) AS SELECT 1")), "undefined_object");
}

}  // namespace
}  // namespace tacit::wire::pg
