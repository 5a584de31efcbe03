#include "sql/read/reading.h"

#include <gtest/gtest.h>

#include "sql/read/command.h"

namespace tacit::sql {
namespace {

std::vector<std::string> NamesOf(const std::vector<NamedTable>& tables) {
  std::vector<std::string> names;
  for (const NamedTable& table : tables) {
    names.push_back(table.schema.empty() ? table.name : table.schema + "." + table.name);
  }
  return names;
}

SharedReading Read(const std::string& text) {
  const Result<SharedReading> reading = ReadQuestion(text);
  EXPECT_TRUE(reading.ok()) << text;
  return *reading;
}

TEST(Reading, KnowsTheTablesThatAreNamedAnywhere) {
  const SharedReading reading = Read(
      "WITH own AS (SELECT * FROM a) SELECT (SELECT max(x) FROM s.b) FROM own, c "
      "WHERE EXISTS (SELECT 1 FROM own JOIN d ON true)");
  EXPECT_TRUE(reading->only_selects);
  EXPECT_EQ(NamesOf(reading->tables), (std::vector<std::string>{"s.b", "c", "d", "a"}));
  EXPECT_NE(reading->select, nullptr);
}

TEST(Reading, SelectsOnlyWhereNothingIsWrittenOrLocked) {
  for (const char* text : {"SELECT 1", "VALUES (1)", "SELECT * FROM a UNION TABLE b"}) {
    EXPECT_TRUE(Read(text)->only_selects) << text;
  }
  for (const char* text :
       {"SELECT 1 INTO b", "SELECT * FROM a FOR UPDATE", "DELETE FROM a", "EXPLAIN SELECT 1",
        "WITH gone AS (DELETE FROM a RETURNING x) SELECT * FROM gone"}) {
    EXPECT_FALSE(Read(text)->only_selects) << text;
    EXPECT_EQ(Read(text)->select, nullptr) << text;
  }
}

TEST(Reading, TellsWhyThereIsNoTree) {
  EXPECT_TRUE(Read("EXPLAIN SELECT count(*) FROM a")->statement->explain);
  EXPECT_EQ(Read("DELETE FROM a")->statement.error().public_message, "DELETE is not supported");
  EXPECT_FALSE(ReadQuestion("SELEC 1").ok());
  EXPECT_FALSE(ReadQuestion("").ok());
  EXPECT_FALSE(ReadQuestion("SELECT 1; SELECT 2").ok());
}

TEST(Reading, KeepsNoTreeThatIsTooDeepForAThread) {
  std::string text = "SELECT ";
  for (int i = 0; i < 1000; ++i) text += "NOT ";
  text += "true";
  const SharedReading reading = Read(text);
  EXPECT_TRUE(reading->only_selects);
  EXPECT_EQ(reading->select, nullptr);
  EXPECT_FALSE(reading->statement.ok());
}

// The same errors, at the same places, wherever in a text the question stands.
TEST(Reading, CountsPositionsFromTheStartOfTheQuestion) {
  const char* question = "SELECT count(*) FROM a WHERE b @> 2";
  const SharedReading whole = Read(question);
  const Result<Statement>& alone = whole->statement;
  ASSERT_FALSE(alone.ok());
  ASSERT_TRUE(alone.error().position.has_value());
  const std::string between = "BEGIN;\n " + std::string(question) + "; COMMIT";
  const auto commands = ReadCommands(between);
  ASSERT_TRUE(commands.ok());
  const SharedReading second = std::get<AskCommand>(commands->at(1).kind).reading;
  EXPECT_EQ(second->statement.error().position, alone.error().position);
  EXPECT_EQ(second->tables.at(0).position, whole->tables.at(0).position);

  const auto cursor = ReadCommands(" DECLARE c CURSOR FOR " + std::string(question));
  const auto& declare = std::get<DeclareCommand>(cursor->at(0).kind);
  EXPECT_EQ(declare.question.reading->statement.error().position, alone.error().position);
  const auto copied = ReadCommands("SELECT 1; COPY (" + std::string(question) + ") TO STDOUT");
  const auto& copy = std::get<CopyCommand>(copied->at(1).kind);
  EXPECT_EQ(copy.question.reading->statement.error().position, alone.error().position);
}

}  // namespace
}  // namespace tacit::sql
