#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace tacit {

void AssertionFailed(const char* condition, const char* file, int line) {
  // Only the program's own text is printed: a value here could be somebody's data.
  std::fprintf(stderr, "tacit: assertion failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace tacit
