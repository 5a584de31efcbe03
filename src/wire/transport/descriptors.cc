#include "wire/transport/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

namespace tacit::wire {

size_t RaiseDescriptorLimit() {
  // Why 64 Ki: far more than all limits of connections together; some systems allow a billion, and
  // some libraries then make a list of them all.
  constexpr rlim_t kMost = 64 * 1024;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;  // what every system gives
  const rlim_t wanted = std::min(limit.rlim_max, kMost);
  if (limit.rlim_cur < wanted) {
    const rlimit raised{.rlim_cur = wanted, .rlim_max = limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit.rlim_cur = wanted;
  }
  return static_cast<size_t>(std::min(limit.rlim_cur, kMost));
}

}  // namespace tacit::wire
