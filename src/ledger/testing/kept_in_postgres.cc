#include "ledger/testing/ledger_site.h"

namespace tacit::ledger::testing {

std::vector<Kept> KeptHere() { return {Kept::kInPostgres}; }

}  // namespace tacit::ledger::testing
