// WRONG: is private|is a private member
#include <cstdint>

#include "base/sensitive.h"

struct Reader : tacit::Sensitive<int64_t> {
  using Sensitive::Sensitive;
#ifdef WRONG
  int64_t Read() const { return value_; }
#endif
};

Reader Make() { return Reader(3); }
