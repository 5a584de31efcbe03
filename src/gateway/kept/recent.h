#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacit::gateway {

struct RecentLimits {
  size_t count_max = 0;
  size_t bytes_max = 0;  // of all keys, and of the things as their makers count them
};

// Things that were made before and are the same whenever they are made again, by what they were
// made from: the last ones that were asked for, within the limits. From any thread.
template <class Thing>
class Recent {
 public:
  explicit Recent(const RecentLimits& limits) : limits_(limits) {}

  // Null when it is not here.
  std::shared_ptr<const Thing> Find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return found->second->thing;
  }

  // `bytes`: of the thing. One that would take more than an eighth of the room is not kept.
  void Keep(const std::string& key, std::shared_ptr<const Thing> thing, size_t bytes) {
    bytes += 2 * key.size();
    if (bytes > limits_.bytes_max / 8) return;
    std::list<Kept> made;  // outside: nothing is half done when there is no memory for it
    made.push_back({.key = key, .thing = std::move(thing), .bytes = bytes});
    const std::lock_guard lock(mutex_);
    if (!places_.try_emplace(made.front().key, made.begin()).second) return;
    kept_.splice(kept_.begin(), made);
    bytes_ += bytes;
    while (kept_.size() > limits_.count_max || bytes_ > limits_.bytes_max) {
      bytes_ -= kept_.back().bytes;
      places_.erase(kept_.back().key);
      kept_.pop_back();
    }
  }

  size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const Thing> thing;
    size_t bytes = 0;
  };

  const RecentLimits limits_;
  mutable std::mutex mutex_;
  std::list<Kept> kept_;  // newest first
  std::unordered_map<std::string_view, typename std::list<Kept>::iterator> places_;
  size_t bytes_ = 0;
};

// The same for each analyst apart: whether a thing was made before is told by the time it takes,
// and must not tell what others asked. The limits are those of all analysts together.
template <class Thing>
class RecentOfEach {
 public:
  RecentOfEach(const std::vector<std::string>& analysts, const RecentLimits& all) {
    const size_t shares = analysts.empty() ? 1 : analysts.size();
    for (const std::string& analyst : analysts) {
      of_.try_emplace(analyst, RecentLimits{.count_max = all.count_max / shares,
                                            .bytes_max = all.bytes_max / shares});
    }
  }

  std::shared_ptr<const Thing> Find(const std::string& analyst, const std::string& key) {
    const auto own = of_.find(analyst);
    return own == of_.end() ? nullptr : own->second.Find(key);
  }

  void Keep(const std::string& analyst, const std::string& key, std::shared_ptr<const Thing> thing,
            size_t bytes) {
    const auto own = of_.find(analyst);
    if (own != of_.end()) own->second.Keep(key, std::move(thing), bytes);
  }

 private:
  std::map<std::string, Recent<Thing>> of_;  // who is in it does not change
};

}  // namespace tacit::gateway
