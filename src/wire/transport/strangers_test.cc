#include "wire/transport/strangers.h"

#include <gtest/gtest.h>

#include <vector>

namespace tacit::wire {
namespace {

struct Entrance {
  Strangers strangers{{.all_max = 10, .of_address_max = 4}};
  std::vector<std::string> shown_out;
  std::list<Strangers::Stay> stays;

  void Enter(const std::string& address, const std::string& name) {
    stays.push_back(strangers.Enter(address, [this, name] { shown_out.push_back(name); }));
  }
};

TEST(Strangers, OneAddressTooManyShowsOutItsOwnOldest) {
  Entrance entrance;
  entrance.Enter("other", "other");
  for (int i = 0; i < 6; ++i) entrance.Enter("flood", std::to_string(i));
  EXPECT_EQ(entrance.shown_out, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(entrance.strangers.size(), 5u);
}

TEST(Strangers, AFullDoorShowsOutTheOldestOfTheAddressWithTheMost) {
  Entrance entrance;
  entrance.Enter("early", "early");
  for (int i = 0; i < 3; ++i) entrance.Enter("a", "a" + std::to_string(i));
  for (int i = 0; i < 4; ++i) entrance.Enter("b", "b" + std::to_string(i));
  for (int i = 0; i < 2; ++i) entrance.Enter("c", "c" + std::to_string(i));
  EXPECT_TRUE(entrance.shown_out.empty());
  entrance.Enter("new", "new");
  EXPECT_EQ(entrance.shown_out, (std::vector<std::string>{"b0"}));
  EXPECT_EQ(entrance.strangers.size(), 10u);
}

TEST(Strangers, AFloodFromAFewAddressesLeavesRoomForOthers) {
  Entrance entrance;
  for (int round = 0; round < 100; ++round) {
    for (const char* address : {"x", "y", "z"}) entrance.Enter(address, "flood");
    const size_t before = entrance.shown_out.size();
    Strangers::Stay stay =
        entrance.strangers.Enter("analyst", [&] { entrance.shown_out.emplace_back("analyst"); });
    // Of the flood's own so many have to come before the analyst's turn to go.
    for (int i = 0; i < 20; ++i) entrance.Enter("x", "flood");
    for (size_t i = before; i < entrance.shown_out.size(); ++i)
      ASSERT_EQ(entrance.shown_out[i], "flood");
  }
}

TEST(Strangers, WhomAProxyPassesOnIsCountedWhereTheyComeFrom) {
  Entrance entrance;
  const auto pass_on = [&](const std::string& address, const std::string& name) {
    entrance.Enter("proxy", name);
    entrance.stays.back().ComesFrom(address);
  };
  pass_on("analyst", "analyst");
  for (int i = 0; i < 20; ++i) pass_on("flood", std::to_string(i));
  EXPECT_EQ(entrance.shown_out.size(), 16u) << "the flood displaces itself";
  EXPECT_EQ(entrance.shown_out.front(), "0");
  EXPECT_EQ(entrance.strangers.size(), 5u);
  entrance.stays.front().ComesFrom("flood");
  EXPECT_EQ(entrance.shown_out.back(), "16");
  std::next(entrance.stays.begin())->ComesFrom("flood");
  EXPECT_EQ(entrance.shown_out.size(), 17u) << "who is not here any longer displaces nobody";
}

TEST(Strangers, WhoLeavesMakesRoomAndIsShownOutNoMore) {
  Entrance entrance;
  for (int i = 0; i < 4; ++i) entrance.Enter("flood", std::to_string(i));
  entrance.stays.front().End();
  entrance.stays.front().End();  // twice is once
  entrance.Enter("flood", "4");
  EXPECT_TRUE(entrance.shown_out.empty());
  entrance.stays.clear();
  EXPECT_EQ(entrance.strangers.size(), 0u);
}

}  // namespace
}  // namespace tacit::wire
