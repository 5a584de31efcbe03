#pragma once

#include <cstdint>

// Replaces operator new of the program that links it: the n-th allocation of a thread fails. For
// tests that try every n.

namespace tacit::testing {

// From now on this thread's `nth` allocation that may fail (base/process/memory_reserve.h) fails
// with std::bad_alloc, and with `for_ever` all after it; 0: none does.
void FailNew(int64_t nth, bool for_ever = false);

// Whether one has failed since.
bool NewFailed();

}  // namespace tacit::testing
