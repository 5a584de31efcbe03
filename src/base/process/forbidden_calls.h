#pragma once

#include <span>

#include "base/result.h"

// Whoever takes the server over by a fault in it, or in a library, shall not get further: from this
// process no program can be started, no other process looked into, no system changed, and nobody
// called up. docs/decisions/forbidden_calls.md says why these, and why the process ends.

namespace tacit {

// For all threads, those that run and those to come, for the rest of the process's life.
//   - ForbiddenCalls(), a new process (not: a thread), and memory that is made executable, or that
//   is
//     writable and executable at once, end the process (SIGSYS, and a line in the system's log).
//   - connect(), unless the deployment has servers of its own to call (a ledger in a database), and
//     sockets of other families than IPv4, IPv6 and local ones fail, because libraries try them:
//     EACCES, EAFNOSUPPORT.
// kUnavailable where the system has no such filters.
//
// Under AddressSanitizer and ThreadSanitizer, whose runtimes start and trace processes to report,
// those calls stay.
enum class CallsUp { kNobody, kServers };
Result<Done> ForbidCalls(CallsUp calls_up = CallsUp::kNobody);

// For a program that is shut in: the kernel keeps a user's keys when all of the user's processes
// have ended, so that one run could leave something for the next. These calls fail: ENOSYS. It
// takes no memory, and may be called between a fork and what it starts.
bool ForbidKeys();

struct ForbiddenCall {
  long number;
  const char* name;
};
std::span<const ForbiddenCall> ForbiddenCalls();

}  // namespace tacit
