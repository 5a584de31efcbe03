#include "policy/yaml/tree.h"

#include <gtest/gtest.h>

#include "policy/yaml/words.h"

namespace tacit::policy::yaml {
namespace {

TEST(Tree, KeepsPlacesQuotesAndOrder) {
  const Result<Node> root = ParseTree("b: \"1\"\na:\n  - 1\n  - ~\n", "t.yaml");
  ASSERT_TRUE(root.ok());
  ASSERT_EQ(root->entries.size(), 2u);
  EXPECT_EQ(root->entries[0].first.text, "b");
  EXPECT_TRUE(root->entries[0].second.quoted);
  const Node& list = root->entries[1].second;
  EXPECT_EQ(list.items[0].place.line, 3);
  EXPECT_EQ(list.items[0].place.column, 5);
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_EQ(list.items[1].kind, Node::Kind::kNull);
}

TEST(Tree, AnEmptyTextIsNothing) {
  EXPECT_EQ(ParseTree("", "t.yaml")->kind, Node::Kind::kNull);
  EXPECT_EQ(ParseTree("# only a comment\n", "t.yaml")->kind, Node::Kind::kNull);
}

TEST(NearestWord, SuggestsWhatIsATypingMistakeAway) {
  EXPECT_EQ(NearestWord("epsilno", {"delta", "epsilon"}), "epsilon");
  EXPECT_EQ(NearestWord("Bounds", {"bounds", "keys"}), "bounds");
  EXPECT_EQ(NearestWord("table", {"tables", "server"}), "tables");
  EXPECT_EQ(NearestWord("unrelated", {"bounds", "keys"}), std::nullopt);
  EXPECT_EQ(NearestWord(std::string(1000, 'x'), {"bounds"}), std::nullopt);
}

}  // namespace
}  // namespace tacit::policy::yaml
