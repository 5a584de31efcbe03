#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tacit::gateway {

// Things that were made before and are the same whenever they are made again, by what they were
// made from: the last `count_max` that were asked for. From any thread.
template <class Thing>
class Recent {
 public:
  explicit Recent(size_t count_max) : count_max_(count_max) {}

  // Null when it is not here.
  std::shared_ptr<const Thing> Find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return found->second->second;
  }

  void Keep(const std::string& key, std::shared_ptr<const Thing> thing) {
    // Why 16 KiB: longer questions are rare, and many of them would fill the memory.
    constexpr size_t kKeyBytesMax = 16 * 1024;
    if (key.size() > kKeyBytesMax) return;
    const std::lock_guard lock(mutex_);
    if (places_.contains(key)) return;
    kept_.emplace_front(key, std::move(thing));
    places_[kept_.front().first] = kept_.begin();
    if (kept_.size() <= count_max_) return;
    places_.erase(kept_.back().first);
    kept_.pop_back();
  }

 private:
  const size_t count_max_;
  std::mutex mutex_;
  std::list<std::pair<const std::string, std::shared_ptr<const Thing>>> kept_;  // newest first
  std::unordered_map<std::string_view, typename decltype(kept_)::iterator> places_;
};

}  // namespace tacit::gateway
