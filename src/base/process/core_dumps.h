#pragma once

namespace tacit {

// From now on no core dump is made of this process, whatever ends it, and no other process of the
// same user may look into its memory: it holds people's rows, the deployment's key and passwords.
// What the process starts later inherits the limit.
void ForbidCoreDumps();

}  // namespace tacit
