// WRONG: no match for .operator<|invalid operands to binary expression
#include <cstdint>

#include "base/sensitive.h"

bool Less(const tacit::Sensitive<int64_t>& a, const tacit::Sensitive<int64_t>& b) {
#ifdef WRONG
  return a < b;
#else
  return &a != &b;
#endif
}
