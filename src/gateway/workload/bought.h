#pragma once

#include "gateway/services.h"

namespace tacit::gateway::workload {

// A question that was bought as part of a workload leaves a mark in the ledger: a small release of
// its own that says at which price it is free. Who names no price then asks at that one.

// What a mark, or a table that follows from what is measured, costs: nothing but a number that
// tells one workload from another. The ledger takes no release for nothing, and serves another
// analyst's only at the same cost: so it serves none of another workload.
ledger::Cost TokenOf(const std::string& workload, ledger::Accounting accounting);

// What a mark stands for: the releases that a question needs, whatever is done with them above.
std::string MarkedBy(const plan::PrivatePlan& plan);

// The mark of a question that is free at `epsilon`.
ledger::ReleaseWish MarkOf(const std::string& marked_by, const Rational& epsilon,
                           const ledger::Cost& token);

// Whether the request names neither a price nor an error, nor an id that stands for one.
bool MayBeBought(const Request& request);

// The price at which the asker has bought the question, where the asker names none; nothing where
// it was not bought, or is free and no worse at the policy's own. Asks the ledger about the asker's
// own payments alone, and charges nothing.
Result<std::optional<Epsilon>> BoughtAt(const Request& request, const plan::PrivatePlan& plan,
                                        Services& services);

}  // namespace tacit::gateway::workload
