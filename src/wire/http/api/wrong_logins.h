#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace tacit::wire::http {

// Bounds how fast passwords can be guessed from one address, as the PostgreSQL side does by its
// number of strangers: so many may wait out their delay at once. Usable from several threads.
class WrongLogins {
 public:
  using Instant = std::chrono::steady_clock::time_point;
  static constexpr size_t kOfAddressMax = 40;

  explicit WrongLogins(std::chrono::milliseconds delay) : delay_(delay) {}

  bool TooMany(const std::string& address, Instant now) {
    const std::lock_guard lock(mutex_);
    Forget(now);
    const auto found = counts_.find(address);
    return found != counts_.end() && found->second >= kOfAddressMax;
  }

  void Add(const std::string& address, Instant now) {
    const std::lock_guard lock(mutex_);
    Forget(now);
    ++counts_[address];
    waiting_.push_back({now + delay_, address});
  }

 private:
  struct Waiting {
    Instant until;
    std::string address;
  };

  void Forget(Instant now) {
    while (!waiting_.empty() && waiting_.front().until <= now) {
      const auto found = counts_.find(waiting_.front().address);
      if (--found->second == 0) counts_.erase(found);
      waiting_.pop_front();
    }
  }

  const std::chrono::milliseconds delay_;
  std::mutex mutex_;
  std::deque<Waiting> waiting_;  // in the order in which they came, and go
  std::map<std::string, size_t> counts_;
};

}  // namespace tacit::wire::http
