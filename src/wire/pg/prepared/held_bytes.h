#pragma once

#include <cstddef>

namespace tacit::wire::pg {

// Memory that a session holds for its client, counted here and among all sessions of the analyst:
// opening more of them gives no more of it.
class HeldBytes {
 public:
  struct Limits {
    size_t of_session = 0;
    size_t of_analyst = 0;
  };

  HeldBytes() = default;
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  ~HeldBytes() { Clear(); }

  // Before anything is held. `of_analyst` lives until Clear, after which nothing may be held.
  void CountIn(size_t* of_analyst) { of_analyst_ = of_analyst; }

  // Whether so many fit once others are let go of.
  bool HasRoomFor(size_t bytes, const Limits& limits, size_t freed = 0) const {
    const size_t all = of_analyst_ == nullptr ? held_ : *of_analyst_;
    return held_ - freed + bytes <= limits.of_session && all - freed + bytes <= limits.of_analyst;
  }

  HeldBytes& operator+=(size_t bytes) {
    held_ += bytes;
    if (of_analyst_ != nullptr) *of_analyst_ += bytes;
    return *this;
  }
  HeldBytes& operator-=(size_t bytes) {
    held_ -= bytes;
    if (of_analyst_ != nullptr) *of_analyst_ -= bytes;
    return *this;
  }
  // Where nothing is held, the analyst's count may be gone already.
  void Clear() {
    if (held_ > 0) *this -= held_;
  }

 private:
  size_t held_ = 0;
  size_t* of_analyst_ = nullptr;
};

}  // namespace tacit::wire::pg
