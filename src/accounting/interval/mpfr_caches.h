#pragma once

#include <mpfr.h>

namespace tacit::accounting {

// MPFR keeps constants such as log 2 for each thread. A thread that used it gives them back at its
// end, once this was called on it.
inline void FreeMpfrCachesWithThread() {
  struct Freer {
    Freer() = default;
    Freer(const Freer&) = delete;
    Freer& operator=(const Freer&) = delete;
    ~Freer() { mpfr_free_cache(); }
  };
  static thread_local const Freer freer;
  (void)freer;
}

}  // namespace tacit::accounting
