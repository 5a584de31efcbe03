#include "wire/http/guests.h"

#include <gtest/gtest.h>

#include <list>
#include <vector>

namespace tacit::wire::http {
namespace {

using Verdict = Guests::Verdict;

struct House {
  explicit House(const Guests::Limits& limits) : guests(limits) {}

  Verdict Enter(const std::string& address, bool shared = false) {
    const Verdict verdict = guests.Judge(address, shared);
    if (verdict != Verdict::kWelcome) return verdict;
    const size_t number = entered++;
    places.emplace_back(guests, address, [this, number] { shown_out.push_back(number); });
    return verdict;
  }

  Guests guests;
  std::list<Guests::Place> places;
  std::vector<size_t> shown_out;
  size_t entered = 0;
};

TEST(Guests, AStrangerTooManyOfAnAddressShowsItsOldestOut) {
  House house(
      {.all_max = 10, .strangers_max = 8, .of_address_max = 5, .strangers_of_address_max = 3});
  house.Enter("10.0.0.2");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(house.Enter("10.0.0.1"), Verdict::kWelcome);
  EXPECT_EQ(house.shown_out, std::vector<size_t>{1});
  EXPECT_EQ(house.Enter("10.0.0.1", true), Verdict::kWelcome);  // a proxy's
  EXPECT_EQ(house.shown_out.size(), 1u);
}

TEST(Guests, NobodyIsShownOutWhoIsKnownOrBeingAnswered) {
  House house(
      {.all_max = 10, .strangers_max = 8, .of_address_max = 4, .strangers_of_address_max = 2});
  house.Enter("10.0.0.1");
  house.places.back().BecomeKnown();
  house.Enter("10.0.0.1");
  house.places.back().SetBusy(true);
  house.Enter("10.0.0.1");
  EXPECT_EQ(house.Enter("10.0.0.1"), Verdict::kWelcome);
  EXPECT_EQ(house.shown_out, std::vector<size_t>{2});
  house.places.back().SetBusy(true);
  EXPECT_EQ(house.Enter("10.0.0.1"), Verdict::kTooManyOfAddress);
  EXPECT_EQ(house.Enter("10.0.0.2"), Verdict::kWelcome);
}

TEST(Guests, AFullHouseShowsOutOfTheAddressThatHasMostAndKeepsTheKnown) {
  House house({.all_max = 4, .strangers_max = 3});
  house.Enter("10.0.0.1");
  house.Enter("10.0.0.2");
  house.Enter("10.0.0.2");
  EXPECT_EQ(house.Enter("10.0.0.3"), Verdict::kWelcome);
  EXPECT_EQ(house.shown_out, std::vector<size_t>{1});
  for (Guests::Place& place : house.places) place.BecomeKnown();
  EXPECT_EQ(house.Enter("10.0.0.4"), Verdict::kFull);
  house.places.clear();
  EXPECT_EQ(house.guests.all(), 0u);
  EXPECT_EQ(house.Enter("10.0.0.1"), Verdict::kWelcome);
}

}  // namespace
}  // namespace tacit::wire::http
