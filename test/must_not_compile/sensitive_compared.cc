// WRONG: deleted
#include <cstdint>

#include "base/sensitive.h"

bool Same(const tacit::Sensitive<int64_t>& a, const tacit::Sensitive<int64_t>& b) {
#ifdef WRONG
  return a == b;
#else
  return &a == &b;
#endif
}
