#include "local/survey/rate_limit.h"

#include <arpa/inet.h>

#include <algorithm>

namespace tacit::local {
namespace {

std::string KeyOf(const std::string& address) {
  in6_addr bytes{};
  if (inet_pton(AF_INET6, address.c_str(), &bytes) != 1) return address;
  return {reinterpret_cast<const char*>(&bytes), 8};
}

}  // namespace

void RateLimit::Refill(Bucket& bucket, Clock::time_point now) const {
  const double minutes = std::chrono::duration<double>(now - bucket.at).count() / 60;
  bucket.left = std::min<double>(per_minute_, bucket.left + minutes * per_minute_);
  bucket.at = now;
}

bool RateLimit::Allow(const std::string& address, Clock::time_point now) {
  const std::string key = KeyOf(address);
  auto found = buckets_.find(key);
  if (found == buckets_.end()) {
    if (buckets_.size() >= kAddressesMax) {
      for (auto bucket = buckets_.begin(); bucket != buckets_.end();) {
        Refill(bucket->second, now);
        bucket = bucket->second.left >= per_minute_ ? buckets_.erase(bucket) : std::next(bucket);
      }
      if (buckets_.size() >= kAddressesMax) return false;
    }
    found = buckets_.emplace(key, Bucket{static_cast<double>(per_minute_), now}).first;
  }
  Refill(found->second, now);
  if (found->second.left < 1) return false;
  found->second.left -= 1;
  return true;
}

}  // namespace tacit::local
