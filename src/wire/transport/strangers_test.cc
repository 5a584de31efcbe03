#include "wire/transport/strangers.h"

#include <gtest/gtest.h>

#include <vector>

namespace tacit::wire {
namespace {

struct Door {
  Strangers strangers{{.all_max = 10, .of_address_max = 4}};
  std::vector<std::string> shown_out;
  std::list<Strangers::Stay> stays;

  void Enter(const std::string& address, const std::string& name) {
    stays.push_back(strangers.Enter(address, [this, name] { shown_out.push_back(name); }));
  }
};

TEST(Strangers, OneAddressTooManyShowsOutItsOwnOldest) {
  Door door;
  door.Enter("other", "other");
  for (int i = 0; i < 6; ++i) door.Enter("flood", std::to_string(i));
  EXPECT_EQ(door.shown_out, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(door.strangers.size(), 5u);
}

TEST(Strangers, AFullDoorShowsOutTheOldestOfTheAddressWithTheMost) {
  Door door;
  door.Enter("early", "early");
  for (int i = 0; i < 3; ++i) door.Enter("a", "a" + std::to_string(i));
  for (int i = 0; i < 4; ++i) door.Enter("b", "b" + std::to_string(i));
  for (int i = 0; i < 2; ++i) door.Enter("c", "c" + std::to_string(i));
  EXPECT_TRUE(door.shown_out.empty());
  door.Enter("new", "new");
  EXPECT_EQ(door.shown_out, (std::vector<std::string>{"b0"}));
  EXPECT_EQ(door.strangers.size(), 10u);
}

TEST(Strangers, AFloodFromAFewAddressesLeavesRoomForOthers) {
  Door door;
  for (int round = 0; round < 100; ++round) {
    for (const char* address : {"x", "y", "z"}) door.Enter(address, "flood");
    const size_t before = door.shown_out.size();
    Strangers::Stay stay =
        door.strangers.Enter("analyst", [&] { door.shown_out.emplace_back("analyst"); });
    // Of the flood's own so many have to come before the analyst's turn to go.
    for (int i = 0; i < 20; ++i) door.Enter("x", "flood");
    for (size_t i = before; i < door.shown_out.size(); ++i) ASSERT_EQ(door.shown_out[i], "flood");
  }
}

TEST(Strangers, WhomAProxyPassesOnIsCountedWhereTheyComeFrom) {
  Door door;
  const auto pass_on = [&](const std::string& address, const std::string& name) {
    door.Enter("proxy", name);
    door.stays.back().ComesFrom(address);
  };
  pass_on("analyst", "analyst");
  for (int i = 0; i < 20; ++i) pass_on("flood", std::to_string(i));
  EXPECT_EQ(door.shown_out.size(), 16u) << "the flood displaces itself";
  EXPECT_EQ(door.shown_out.front(), "0");
  EXPECT_EQ(door.strangers.size(), 5u);
  door.stays.front().ComesFrom("flood");
  EXPECT_EQ(door.shown_out.back(), "16");
  std::next(door.stays.begin())->ComesFrom("flood");
  EXPECT_EQ(door.shown_out.size(), 17u) << "who is not here any longer displaces nobody";
}

TEST(Strangers, WhoLeavesMakesRoomAndIsShownOutNoMore) {
  Door door;
  for (int i = 0; i < 4; ++i) door.Enter("flood", std::to_string(i));
  door.stays.front().End();
  door.stays.front().End();  // twice is once
  door.Enter("flood", "4");
  EXPECT_TRUE(door.shown_out.empty());
  door.stays.clear();
  EXPECT_EQ(door.strangers.size(), 0u);
}

}  // namespace
}  // namespace tacit::wire
