#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace tacit::engine::duckdb {

// What the program's own functions look up while a statement runs: objects that a BIGINT parameter
// of the statement names. One that its maker gave up is found no more.
template <typename T>
class Living {
 public:
  // `make` gets the name.
  template <typename Make>
  std::shared_ptr<T> Add(const Make& make) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& one) { return one.second.expired(); });
    std::shared_ptr<T> made = make(++last_);
    all_[last_] = made;
    return made;
  }

  // Null when it is no more.
  std::shared_ptr<T> Find(int64_t name) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : found->second.lock();
  }

 private:
  std::mutex mutex_;
  std::map<int64_t, std::weak_ptr<T>> all_;
  int64_t last_ = 0;
};

}  // namespace tacit::engine::duckdb
