#include "wire/pg/prepared/statements.h"

#include "wire/pg/state/testing.h"

namespace tacit::wire::pg {
namespace {

Prepared Of(const std::string& text) {
  Prepared prepared;
  prepared.text = text;
  prepared.command = CommandOf(text);
  return prepared;
}

const sql::SharedReading& ReadingOf(const PreparedStatement& statement) {
  return std::get<sql::AskCommand>(statement->command->kind).reading;
}

TEST(Statements, ANameIsTakenOnceAndTheNamelessOneIsReplaced) {
  Statements statements({});
  EXPECT_TRUE(statements.Keep("a", Of("SELECT 1")).ok());
  EXPECT_EQ(RuleOf(statements.Keep("a", Of("SELECT 2"))), "duplicate_prepared_statement");
  EXPECT_TRUE(statements.Keep("", Of("SELECT 1")).ok());
  EXPECT_TRUE(statements.Keep("", Of("SELECT 2")).ok());
  EXPECT_EQ(statements.Find("")->text, "SELECT 2");
  EXPECT_TRUE(statements.Forget("a"));
  EXPECT_FALSE(statements.Forget("a"));
  EXPECT_EQ(statements.Find("a"), nullptr);
}

TEST(Statements, AreLimitedInNumberAndBytes) {
  Statements few({.count_max = 1});
  EXPECT_TRUE(few.Keep("a", Of("SELECT 1")).ok());
  EXPECT_EQ(RuleOf(few.Keep("b", Of("SELECT 1"))), "out_of_memory");
  Statements small({.count_max = 10, .bytes = {.of_session = 4'000, .of_analyst = 4'000}});
  const std::string text = "SELECT '" + std::string(1'000, 'x') + "'";
  EXPECT_TRUE(small.Keep("a", Of(text)).ok());
  EXPECT_EQ(RuleOf(small.Keep("b", Of(text))), "out_of_memory");
  EXPECT_EQ(RuleOf(small.CheckRoomFor("b", 3'999)), "out_of_memory");
  small.Clear();
  EXPECT_TRUE(small.Keep("b", Of(text)).ok());
}

TEST(Statements, WhatWasReadIsKeptForTheNamelessOneOnlyAndWhereThereIsRoom) {
  Statements statements({});
  ASSERT_TRUE(statements.Keep("", Of("SELECT 1")).ok());
  EXPECT_NE(ReadingOf(statements.Find("")), nullptr);
  ASSERT_TRUE(statements.Keep("a", Of("SELECT 1")).ok());
  EXPECT_EQ(ReadingOf(statements.Find("a")), nullptr);
  const std::string text = "SELECT '" + std::string(512, 'x') + "'";
  ASSERT_TRUE(statements.Keep("", Of(text)).ok());
  EXPECT_EQ(ReadingOf(statements.Find("")), nullptr);
  Statements small({.count_max = 10, .bytes = {.of_session = 4'000, .of_analyst = 4'000}});
  ASSERT_TRUE(small.Keep("", Of("SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13")).ok());
  EXPECT_EQ(ReadingOf(small.Find("")), nullptr);
}

TEST(Statements, WhatIsReadIsCountedWhileItIsCarriedOut) {
  size_t of_analyst = 0;
  Statements statements({.count_max = 10, .bytes = {.of_session = 4'000, .of_analyst = 8'000}});
  statements.bytes().CountIn(&of_analyst);
  const auto keeps = [&] {
    std::vector<sql::Command> commands = {CommandOf("SELECT 1, 2")};
    const CountedReadings counted(statements, commands, 11);
    EXPECT_EQ(of_analyst > 1'000, std::get<sql::AskCommand>(commands[0].kind).reading != nullptr);
    return std::get<sql::AskCommand>(commands[0].kind).reading != nullptr;
  };
  EXPECT_TRUE(keeps());
  EXPECT_EQ(of_analyst, 0u);
  ASSERT_TRUE(statements.Keep("a", Of("SELECT '" + std::string(900, 'x') + "'")).ok());
  const size_t before = of_analyst;
  std::vector<sql::Command> commands = {CommandOf("SELECT 1, 2")};
  const CountedReadings counted(statements, commands, 11);
  EXPECT_EQ(std::get<sql::AskCommand>(commands[0].kind).reading, nullptr);
  EXPECT_EQ(of_analyst, before);
}

}  // namespace
}  // namespace tacit::wire::pg
