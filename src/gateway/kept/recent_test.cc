#include "gateway/kept/recent.h"

#include <gtest/gtest.h>

namespace tacit::gateway {
namespace {

std::shared_ptr<const int> Thing(int value) { return std::make_shared<const int>(value); }

TEST(Recent, KeepsWhatWasAskedForLastWithinItsCount) {
  Recent<int> recent({.count_max = 2, .bytes_max = 10'000});
  recent.Keep("a", Thing(1), 10);
  recent.Keep("b", Thing(2), 10);
  ASSERT_NE(recent.Find("a"), nullptr);
  recent.Keep("c", Thing(3), 10);
  EXPECT_EQ(recent.Find("b"), nullptr) << "asked for longest ago";
  EXPECT_EQ(*recent.Find("a"), 1);
  EXPECT_EQ(*recent.Find("c"), 3);
}

TEST(Recent, IsBoundedInBytesWhateverIsKept) {
  Recent<int> recent({.count_max = 1'000'000, .bytes_max = 80'000});
  for (int i = 0; i < 1000; ++i) {
    recent.Keep("key " + std::to_string(i), Thing(i), static_cast<size_t>(i) * 37 % 20'000);
    ASSERT_LE(recent.bytes(), 80'000u);
  }
  recent.Keep("large", Thing(0), 10'001);
  EXPECT_EQ(recent.Find("large"), nullptr) << "one thing does not displace all others";
  recent.Keep(std::string(6'000, 'k'), Thing(0), 0);
  EXPECT_EQ(recent.Find(std::string(6'000, 'k')), nullptr) << "a long key neither";
}

TEST(RecentOfEach, NobodyFindsWhatAnotherKept) {
  RecentOfEach<int> recent({"ana", "bob"}, {.count_max = 8, .bytes_max = 10'000});
  recent.Keep("ana", "question", Thing(1), 10);
  EXPECT_EQ(*recent.Find("ana", "question"), 1);
  EXPECT_EQ(recent.Find("bob", "question"), nullptr);
  EXPECT_EQ(recent.Find("nobody", "question"), nullptr);
  // Nor does one displace what another has kept.
  recent.Keep("bob", "own", Thing(2), 10);
  for (int i = 0; i < 100; ++i) recent.Keep("ana", std::to_string(i), Thing(i), 10);
  EXPECT_EQ(*recent.Find("bob", "own"), 2);
}

}  // namespace
}  // namespace tacit::gateway
