#include "wire/http/guests.h"

#include <gtest/gtest.h>

#include <list>

namespace tacit::wire::http {
namespace {

using Verdict = Guests::Verdict;

TEST(Guests, StrangersOfOneAddressAreBoundedAndKeepNobodyElseOut) {
  Guests guests(
      {.all_max = 10, .strangers_max = 6, .of_address_max = 4, .strangers_of_address_max = 3});
  std::list<Guests::Place> places;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(guests.Judge("10.0.0.1", false), Verdict::kWelcome);
    places.emplace_back(guests, "10.0.0.1");
  }
  EXPECT_EQ(guests.Judge("10.0.0.1", false), Verdict::kTooManyOfAddress);
  EXPECT_EQ(guests.Judge("10.0.0.1", true), Verdict::kWelcome);  // a proxy's
  EXPECT_EQ(guests.Judge("10.0.0.2", false), Verdict::kWelcome);
  // Who has shown a password makes room for another stranger, up to the address's own limit.
  places.front().BecomeKnown();
  EXPECT_EQ(guests.Judge("10.0.0.1", false), Verdict::kWelcome);
  places.emplace_back(guests, "10.0.0.1");
  places.back().BecomeKnown();
  EXPECT_EQ(guests.Judge("10.0.0.1", false), Verdict::kTooManyOfAddress);
}

TEST(Guests, StrangersOfManyAddressesLeaveRoomForThoseWhoAreKnown) {
  Guests guests({.all_max = 3, .strangers_max = 2});
  std::list<Guests::Place> places;
  places.emplace_back(guests, "10.0.0.1");
  places.emplace_back(guests, "10.0.0.2");
  EXPECT_EQ(guests.Judge("10.0.0.3", false), Verdict::kFull);
  EXPECT_EQ(guests.Judge("10.0.0.3", true), Verdict::kFull);
  places.front().BecomeKnown();
  places.front().BecomeKnown();
  EXPECT_EQ(guests.Judge("10.0.0.3", false), Verdict::kWelcome);
  places.emplace_back(guests, "10.0.0.3");
  places.back().BecomeKnown();
  EXPECT_EQ(guests.Judge("10.0.0.4", false), Verdict::kFull);
  places.clear();
  EXPECT_EQ(guests.all(), 0u);
  EXPECT_EQ(guests.Judge("10.0.0.1", false), Verdict::kWelcome);
}

}  // namespace
}  // namespace tacit::wire::http
