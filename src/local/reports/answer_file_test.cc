#include "local/reports/answer_file.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tacit::local {
namespace {

std::vector<std::string> ReadAll(const std::string& text, const std::string& column = "") {
  std::istringstream input(text);
  AnswerReader reader(input, "answers.csv");
  std::vector<std::string> answers;
  if (!column.empty()) {
    const auto chosen = reader.ChooseColumn(column);
    if (!chosen.ok()) return {"ERROR " + chosen.error().public_message};
  }
  while (true) {
    std::string_view answer;
    const auto next = reader.Next(answer);
    if (!next.ok()) return {"ERROR " + next.error().public_message};
    if (!*next) return answers;
    answers.emplace_back(answer);
  }
}

using List = std::vector<std::string>;

TEST(AnswerReader, ReadsAColumnWithoutAHeading) {
  EXPECT_EQ(ReadAll("yes\nno\r\n\"a, \"\"b\"\"\"\nlast"), (List{"yes", "no", "a, \"b\"", "last"}));
  EXPECT_EQ(ReadAll(""), List{});
  EXPECT_EQ(ReadAll("\n"), List{""});
}

TEST(AnswerReader, TakesANamedColumn) {
  EXPECT_EQ(ReadAll("id,colour\n1,red\n2,\"dark, blue\"\n", "colour"), (List{"red", "dark, blue"}));
  EXPECT_EQ(ReadAll("id,colour\n1,red\n", "shape"),
            List{"ERROR answers.csv has no column \"shape\" in its first line"});
  EXPECT_EQ(ReadAll("id,colour\n1\n", "colour"),
            List{"ERROR answers.csv:2: 1 fields where 2 were expected"});
}

TEST(AnswerReader, BrokenQuotesAreNamed) {
  EXPECT_EQ(ReadAll("ok\n\"open\n"), List{"ERROR answers.csv:2: a quote is not closed"});
  EXPECT_EQ(ReadAll("\"a\"b\n"), List{"ERROR answers.csv:1: there is text after a closing quote"});
  EXPECT_EQ(
      ReadAll("a\"b\n"),
      List{"ERROR answers.csv:1: a quote stands inside a field that does not start with one"});
}

}  // namespace
}  // namespace tacit::local
