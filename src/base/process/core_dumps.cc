#include "base/process/core_dumps.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/assert.h"

namespace tacit {

void ForbidCoreDumps() {
  // Both: a dump that is piped to a program (systemd-coredump) is made whatever the limit is, and
  // the limit holds for a file where somebody makes the process dumpable again.
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  const bool limited = ::setrlimit(RLIMIT_CORE, &none) == 0;
  const bool closed = ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
  TACIT_ASSERT(limited && closed);
}

}  // namespace tacit
