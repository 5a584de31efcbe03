#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tacit::wire::http {

// Who is connected: how many in all, of one address, and without having shown a password. For one
// thread.
class Guests {
 public:
  struct Limits {
    // Why 1024: a connection holds some 60 KiB, and a descriptor of the 4096 that are common.
    size_t all_max = 1024;
    // Why half: those who have shown a password find room whatever strangers do.
    size_t strangers_max = 512;
    // Why 256: a pool of an office's programs behind one address, twice over.
    size_t of_address_max = 256;
    // Why 100: a browser opens six; so many people behind one address come at once.
    size_t strangers_of_address_max = 100;
  };
  enum class Verdict { kWelcome, kFull, kTooManyOfAddress };

  explicit Guests(const Limits& limits) : limits_(limits) {}

  // A connection's place, for as long as it lives. Not longer than the guests.
  class Place {
   public:
    Place(Guests& guests, std::string address) : guests_(guests), address_(std::move(address)) {
      ++guests_.of_address_[address_].all;
      ++guests_.of_address_[address_].strangers;
      ++guests_.all_.all;
      ++guests_.all_.strangers;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
      BecomeKnown();
      --guests_.all_.all;
      const auto found = guests_.of_address_.find(address_);
      if (--found->second.all == 0) guests_.of_address_.erase(found);
    }
    void BecomeKnown() {
      if (!std::exchange(stranger_, false)) return;
      --guests_.all_.strangers;
      --guests_.of_address_.find(address_)->second.strangers;
    }

   private:
    Guests& guests_;
    const std::string address_;
    bool stranger_ = true;
  };

  // `shared`: many come from this address, as from a proxy, and only all together are counted.
  Verdict Judge(const std::string& address, bool shared) const {
    if (all_.all >= limits_.all_max || all_.strangers >= limits_.strangers_max) {
      return Verdict::kFull;
    }
    const auto found = of_address_.find(address);
    if (shared || found == of_address_.end()) return Verdict::kWelcome;
    const bool too_many = found->second.all >= limits_.of_address_max ||
                          found->second.strangers >= limits_.strangers_of_address_max;
    return too_many ? Verdict::kTooManyOfAddress : Verdict::kWelcome;
  }

  size_t all() const { return all_.all; }

 private:
  struct Count {
    size_t all = 0;
    size_t strangers = 0;
  };

  const Limits limits_;
  Count all_;
  std::map<std::string, Count> of_address_;
};

}  // namespace tacit::wire::http
