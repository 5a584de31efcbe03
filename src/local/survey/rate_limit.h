#pragma once

#include <chrono>
#include <string>
#include <unordered_map>

namespace tacit::local {

// At most so many posts a minute from one address, in bursts of up to a minute's worth. An IPv6
// address counts as its /64, which is what one household gets.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RateLimit(uint32_t per_minute) : per_minute_(per_minute) {}

  bool Allow(const std::string& address, Clock::time_point now);

 private:
  // Why 100,000: some 10 MB. When full of addresses that are all still limited, new ones are
  // refused: a flood slows strangers down, it does not take the memory.
  static constexpr size_t kAddressesMax = 100'000;

  struct Bucket {
    double left = 0;
    Clock::time_point at;
  };
  void Refill(Bucket& bucket, Clock::time_point now) const;

  uint32_t per_minute_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace tacit::local
