#pragma once

#include <mpfr.h>

#include "accounting/interval/mpfr_caches.h"

namespace tacit::accounting {

// A number of MPFR with so many bits, which frees itself.
class MpfrNumber {
 public:
  explicit MpfrNumber(mpfr_prec_t precision_bits) {
    FreeMpfrCachesWithThread();
    mpfr_init2(value_, precision_bits);
  }
  ~MpfrNumber() { mpfr_clear(value_); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

}  // namespace tacit::accounting
