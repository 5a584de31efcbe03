// WRONG: no match for .operator<<|invalid operands to binary expression
#include <cstdint>
#include <iostream>

#include "base/sensitive.h"

void Print(const tacit::Sensitive<int64_t>& exact, int64_t known) {
  std::cout << known;
#ifdef WRONG
  std::cout << exact;
#endif
  static_cast<void>(exact);
}
