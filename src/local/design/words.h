#pragma once

#include "base/numbers/int128.h"
#include "base/numbers/rational.h"

// Thresholds are compared with uniform 64-bit words; exact shares count them.

namespace tacit::local {

inline const Integer kWords = Integer(1) << 64;

inline Integer IntegerOf(uint64_t value) { return ToInteger(static_cast<Int128>(value)); }

}  // namespace tacit::local
