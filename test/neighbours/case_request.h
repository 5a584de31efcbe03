#pragma once

#include "gateway/services.h"
#include "harness/golden_case.h"

namespace tacit::neighbours {

// A case of test/sql as the owner asks it.
gateway::Request RequestOf(const golden::Case& test);

}  // namespace tacit::neighbours
