#include "anonymize/partition/hierarchy.h"

#include <gtest/gtest.h>

namespace tacit::anonymize {
namespace {

std::string LabelOver(const Hierarchy& tree, const std::string& first, const std::string& last) {
  uint32_t low = tree.leaf_of.at(first), high = tree.leaf_of.at(last);
  if (low > high) std::swap(low, high);
  return tree.nodes[tree.LowestOver(low, high)].label;
}

TEST(Hierarchy, FindsTheLowestGroupOverValues) {
  const Hierarchy tree =
      ParseHierarchy(
          "Paris;France;Europe;*\nLima;Peru;America;*\nLyon;France;Europe;*\nRome;Italy;Europe;*\n",
          "towns.csv")
          .value();
  EXPECT_EQ(LabelOver(tree, "Paris", "Lyon"), "France");
  EXPECT_EQ(LabelOver(tree, "Paris", "Rome"), "Europe");
  EXPECT_EQ(LabelOver(tree, "Lima", "Rome"), "*");
  EXPECT_EQ(LabelOver(tree, "Rome", "Rome"), "Rome");
}

TEST(Hierarchy, WithoutACommonRootThereIsOne) {
  const Hierarchy tree = ParseHierarchy("a;x\nb;y\n", "h").value();
  EXPECT_EQ(LabelOver(tree, "a", "b"), "*");
}

TEST(Hierarchy, WhatIsNoTreeIsAnErrorWithItsPlace) {
  EXPECT_EQ(ParseHierarchy("a;x;*\na;y;*\n", "h").error().public_message,
            "h:2: the value \"a\" comes twice");
  EXPECT_EQ(ParseHierarchy("a;x;p;*\nb;x;q;*\n", "h").error().public_message,
            "h: \"x\" lies below \"p\" on one line and below \"q\" on another");
  EXPECT_EQ(ParseHierarchy("a;x;*\nb;x\n", "h").error().public_message,
            "h:2: 2 cells where the first line has 3");
  EXPECT_FALSE(ParseHierarchy("", "h").ok());
}

}  // namespace
}  // namespace tacit::anonymize
