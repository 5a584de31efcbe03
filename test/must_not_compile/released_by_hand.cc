// WRONG: is private|private constructor
#include <cstdint>

#include "base/sensitive.h"

int64_t Read(const tacit::Released<int64_t>& released) { return released.value(); }

#ifdef WRONG
tacit::Released<int64_t> Forge() { return tacit::Released<int64_t>(3); }
#endif
