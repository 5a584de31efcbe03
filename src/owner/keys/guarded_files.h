#pragma once

#include <vector>

#include "base/secrets/file_guard.h"
#include "policy/policy.h"

namespace tacit::owner {

// Everything on the disk that a deployment's promise rests on, with what other users may do there:
// nothing with rows, key and ledger; not write to the policy, nor to a folder in which one of these
// could be replaced.
std::vector<FileGuard> GuardedFilesOf(const policy::Policy& policy);

// kUnavailable for the first of them that is not guarded.
Result<Done> CheckGuardedFiles(const policy::Policy& policy);

}  // namespace tacit::owner
