#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>

#include "wire/auth/verifier.h"

namespace tacit::wire {

// Makes guessing passwords slow without turning anybody away: after some wrong ones for an account
// from an address, every further attempt for it from there, a right one too, is judged so much
// later. How many can wait at once is bounded by the connections of an address; that number over
// the delay is the rate of guesses. Other accounts behind the same proxy, and the same account from
// elsewhere, notice nothing. Usable from several threads.
class GuessDelays {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  using Delay = std::chrono::milliseconds;

  static constexpr int kFreeGuesses = 5;     // people mistype
  static constexpr Delay kOfGuess{250};      // for each wrong one beyond
  static constexpr Delay kMost{5'000};       // well within the time that a login may take
  static constexpr Delay kForgetOne{2'000};  // so often one wrong guess is forgotten
  static constexpr size_t kAddressesMax = 4'096;

  Delay Of(const std::string& account, const std::string& address, Instant now) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(address);
    if (found == places_.end()) return Delay(0);
    const int64_t wrong = Left(found->second->drawers[DrawerOf(account)], now) - kFreeGuesses;
    return std::clamp<Delay>(wrong * kOfGuess, Delay(0), kMost);
  }

  void AddWrong(const std::string& account, const std::string& address, Instant now) {
    const std::lock_guard lock(mutex_);
    Guesses& guesses = Find(address).drawers[DrawerOf(account)];
    guesses.wrong = std::min<int64_t>(Left(guesses, now) + 1, kFreeGuesses + kMost / kOfGuess + 8);
    guesses.since = now;
  }

 private:
  struct Guesses {
    int64_t wrong = 0;
    Instant since{};
  };
  // An account's place is drawn from its name and a secret: one that does not exist has a place
  // like any other, and inventing names takes no more memory than knowing them.
  static constexpr size_t kDrawers = 64;
  struct Address {
    std::string name;
    std::array<Guesses, kDrawers> drawers{};
  };

  size_t DrawerOf(const std::string& account) const {
    return static_cast<unsigned char>(HmacSha256(secret_, account)[0]) % kDrawers;
  }

  static int64_t Left(const Guesses& guesses, Instant now) {
    return std::max<int64_t>(0, guesses.wrong - (now - guesses.since) / kForgetOne);
  }

  // The one that was guessed from longest ago makes room.
  Address& Find(const std::string& address) {
    const auto found = places_.find(address);
    if (found != places_.end()) {
      addresses_.splice(addresses_.begin(), addresses_, found->second);
      return addresses_.front();
    }
    std::list<Address> made(1);
    made.front().name = address;
    places_.emplace(address, made.begin());
    addresses_.splice(addresses_.begin(), made);
    if (addresses_.size() > kAddressesMax) {
      places_.erase(addresses_.back().name);
      addresses_.pop_back();
    }
    return addresses_.front();
  }

  const std::string secret_ = RandomBytes(32);
  std::mutex mutex_;
  std::list<Address> addresses_;  // newest first
  std::map<std::string, std::list<Address>::iterator> places_;
};

}  // namespace tacit::wire
