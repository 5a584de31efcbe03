#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

// A SQLite VFS over the system's own that fails on request, counts fsyncs, and can take back what
// was written but never synced, as a power failure does. In the test library only.

namespace tacit::ledger::testing {

inline constexpr char kFaultVfs[] = "tacit-fault";

struct Faults {
  // Counted over writes, syncs, opens and truncations together, from one. 0: nothing fails.
  int64_t fail_at = 0;
  bool for_ever = false;   // else once
  bool disk_full = false;  // writes fail with "disk full"; else every operation with its own error
};

// Registers the VFS (once), forgets all counts and unsynced writes, and arms `faults`.
void ArmFaults(const Faults& faults);

int64_t OperationCount();
int64_t SyncCount();
bool FaultHappened();

// Undoes unsynced writes, newest first: each with probability one half, or all of them. The files
// must be closed.
void LosePower(std::mt19937& random, bool lose_all);

}  // namespace tacit::ledger::testing
