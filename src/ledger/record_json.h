#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ledger/ledger.h"

// The pieces of a record as JSON, in the order in which their bytes are hashed. The readers throw
// std::exception on anything unexpected; ReadRecord, the only place that reads foreign bytes,
// catches it.

namespace tacit::ledger {

using Json = nlohmann::ordered_json;

Json ToJson(const Cost& cost);
Json ToJson(const std::optional<Budget>& budget);
Json ToJson(const std::optional<Cost>& capacity);
Json ToJson(const std::vector<Rational>& numbers);
Json ToJson(const Declarations& declarations);

Rational ReadNumber(const Json& json);
Cost ReadCost(const Json& json);
std::optional<Budget> ReadBudget(const Json& json);
std::optional<Cost> ReadCapacity(const Json& json);
Declarations ReadDeclarations(const Json& json);

}  // namespace tacit::ledger
