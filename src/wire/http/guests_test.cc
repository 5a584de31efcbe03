#include "wire/http/guests.h"

#include <gtest/gtest.h>

#include <list>
#include <vector>

namespace tacit::wire::http {
namespace {

using Verdict = Guests::Verdict;

struct Listener {
  explicit Listener(const Guests::Limits& limits) : guests(limits) {}

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
  Listener listener(
      {.all_max = 10, .strangers_max = 8, .of_address_max = 5, .strangers_of_address_max = 3});
  listener.Enter("10.0.0.2");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(listener.Enter("10.0.0.1"), Verdict::kWelcome);
  EXPECT_EQ(listener.shown_out, std::vector<size_t>{1});
  EXPECT_EQ(listener.Enter("10.0.0.1", true), Verdict::kWelcome);  // a proxy's
  EXPECT_EQ(listener.shown_out.size(), 1u);
}

TEST(Guests, NobodyIsShownOutWhoIsKnownOrBeingAnswered) {
  Listener listener(
      {.all_max = 10, .strangers_max = 8, .of_address_max = 4, .strangers_of_address_max = 2});
  listener.Enter("10.0.0.1");
  listener.places.back().BecomeKnown("ana");
  listener.Enter("10.0.0.1");
  listener.places.back().SetBusy(true);
  listener.Enter("10.0.0.1");
  EXPECT_EQ(listener.Enter("10.0.0.1"), Verdict::kWelcome);
  EXPECT_EQ(listener.shown_out, std::vector<size_t>{2});
  listener.places.back().SetBusy(true);
  EXPECT_EQ(listener.Enter("10.0.0.1"), Verdict::kTooManyOfAddress);
  EXPECT_EQ(listener.Enter("10.0.0.2"), Verdict::kWelcome);
}

TEST(Guests, AFullHouseShowsOutOfTheAddressThatHasMostAndKeepsTheKnown) {
  Listener listener({.all_max = 4, .strangers_max = 3});
  listener.Enter("10.0.0.1");
  listener.Enter("10.0.0.2");
  listener.Enter("10.0.0.2");
  EXPECT_EQ(listener.Enter("10.0.0.3"), Verdict::kWelcome);
  EXPECT_EQ(listener.shown_out, std::vector<size_t>{1});
  for (Guests::Place& place : listener.places) place.BecomeKnown("ana");
  EXPECT_EQ(listener.Enter("10.0.0.4"), Verdict::kFull);
  listener.places.clear();
  EXPECT_EQ(listener.guests.all(), 0u);
  EXPECT_EQ(listener.Enter("10.0.0.1"), Verdict::kWelcome);
}

TEST(Guests, WhoIsKnownAndComesTooOftenShowsTheOwnOldestOut) {
  Listener listener({.all_max = 10, .of_known_max = 2});
  const auto enter = [&](const std::string& address, const std::string& account) {
    EXPECT_EQ(listener.Enter(address), Verdict::kWelcome);
    listener.places.back().BecomeKnown(account);
  };
  enter("10.0.0.1", "bob");
  enter("10.0.0.2", "ana");
  listener.places.back().SetBusy(true);
  enter("10.0.0.3", "ana");
  enter("10.0.0.4", "ana");
  EXPECT_EQ(listener.shown_out, std::vector<size_t>{2}) << "the oldest that waits";
  enter("10.0.0.5", "ana");
  EXPECT_EQ(listener.shown_out, (std::vector<size_t>{2, 3}));
  enter("10.0.0.1", "bob");
  EXPECT_EQ(listener.shown_out.size(), 2u);
  enter("10.0.0.1", "bob");
  EXPECT_EQ(listener.shown_out, (std::vector<size_t>{2, 3, 0}));
  Listener one({.of_known_max = 1});
  for (int i = 0; i < 3; ++i) {
    one.Enter("10.0.0.1");
    one.places.back().BecomeKnown("ana");
  }
  EXPECT_EQ(one.shown_out, (std::vector<size_t>{0, 1}));
  one.places.pop_front();
  one.places.clear();
  EXPECT_EQ(one.guests.all(), 0u);
}

}  // namespace
}  // namespace tacit::wire::http
