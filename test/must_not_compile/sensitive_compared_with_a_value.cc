// WRONG: no match for .operator==|invalid operands to binary expression
#include <cstdint>

#include "base/sensitive.h"

bool IsZero(const tacit::Sensitive<int64_t>& exact, int64_t known) {
  static_cast<void>(exact);
#ifdef WRONG
  return exact == 0;
#else
  return known == 0;
#endif
}
