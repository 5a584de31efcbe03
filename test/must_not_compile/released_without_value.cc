// WRONG: no matching (function|constructor)
#include <cstdint>

#include "base/sensitive.h"

tacit::Released<int64_t> Copy(const tacit::Released<int64_t>& released) { return released; }

#ifdef WRONG
tacit::Released<int64_t> Forge() { return tacit::Released<int64_t>(); }
#endif
