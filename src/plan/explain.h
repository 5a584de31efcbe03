#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "plan/private_plan.h"

namespace tacit::plan {

// EXPLAIN as one JSON object: releases, cost, pushed, post. A function of the plan alone; what
// would remain of a budget is the ledger's to say.
nlohmann::ordered_json ExplainJson(const PrivatePlan& plan);

// The same for people.
std::string ExplainText(const PrivatePlan& plan);

// The double nearest to an exact number, for display only.
double NearestDouble(const Rational& value);

}  // namespace tacit::plan
