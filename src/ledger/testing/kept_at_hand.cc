#include "ledger/testing/ledger_site.h"

namespace tacit::ledger::testing {

std::vector<Kept> KeptHere() { return {Kept::kInFile, Kept::kInMemory}; }

}  // namespace tacit::ledger::testing
