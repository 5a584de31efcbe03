#pragma once

#include "policy/policy.h"

namespace tacit::policy {

// The old policy with what the new one takes away, for as long as the new one cannot be in force:
// analysts whom it does not name are gone, those who stay have the smaller budget of both and the
// new password, the data has the smaller budget, a question costs at most the smaller price, and
// answers leave on the coarser grid. The certificate is the new one's. What an answer means, and so
// PolicyVersion, stays the old one's.
Policy Narrowed(const Policy& old, const Policy& fresh);

}  // namespace tacit::policy
