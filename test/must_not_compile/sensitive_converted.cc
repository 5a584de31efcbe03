// WRONG: cannot convert|no viable conversion
#include <cstdint>

#include "base/sensitive.h"

int64_t Take(const tacit::Sensitive<int64_t>& exact, int64_t known) {
  static_cast<void>(exact);
#ifdef WRONG
  const int64_t taken = exact;
#else
  const int64_t taken = known;
#endif
  return taken;
}
