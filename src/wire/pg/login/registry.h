#pragma once

#include <cstdint>
#include <functional>
#include <map>

namespace tacit::wire::pg {

// The sessions that can be cancelled, by the numbers that BackendKeyData gave their clients. For
// one thread.
class Registry {
 public:
  struct Key {
    int32_t process = 0;
    int32_t secret = 0;
  };

  // A key of random numbers for a session; `cancel` ends its running question.
  Key Add(std::function<void()> cancel);
  void Remove(const Key& key) { sessions_.erase(key.process); }

  // Whether there was such a session is said to nobody.
  void Cancel(int32_t process, int32_t secret);

 private:
  struct Entry {
    int32_t secret = 0;
    std::function<void()> cancel;
  };
  std::map<int32_t, Entry> sessions_;
};

}  // namespace tacit::wire::pg
