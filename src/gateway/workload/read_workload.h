#pragma once

#include <string>
#include <vector>

#include "gateway/services.h"

namespace tacit::gateway::workload {

// Why 1,000: a dashboard has a hundred, and every one is planned before the first is charged.
inline constexpr size_t kWorkloadCommandsMax = 1'000;
// Why 200: two releases of the ledger's 512 for each, and room for what they share.
inline constexpr size_t kDistinctQuestionsMax = 200;

// The questions of a text, with ; between them, each as `base` but for its text. SET tacit.epsilon
// and SET tacit.error name the price or the error of the questions behind them, until RESET: the
// same text is a session for psql.
Result<std::vector<Request>> ReadWorkload(const std::string& text, const Request& base);

}  // namespace tacit::gateway::workload
