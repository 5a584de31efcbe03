#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ledger/chain/books.h"
#include "ledger/ledger.h"
#include "ledger/record/json_text.h"

// The pieces of a record as JSON, in the order in which their bytes are hashed. The readers throw
// std::exception on anything unexpected; ReadRecord, the only place that reads foreign bytes,
// catches it.

namespace tacit::ledger {

using Json = nlohmann::ordered_json;

void Write(const Cost& cost, JsonText& json);
void Write(const std::optional<Budget>& budget, JsonText& json);
void Write(const std::optional<Cost>& capacity, JsonText& json);
void Write(const std::vector<Rational>& numbers, JsonText& json);
void Write(const Declarations& declarations, JsonText& json);
// Without its braces.
void WriteMembers(const BookEntry& entry, JsonText& json);

Rational ReadNumber(const Json& json);
// From `least` on. A fraction or what is beyond 64 bits is unexpected: the library would cut it.
int64_t ReadWhole(const Json& json, int64_t least);
Cost ReadCost(const Json& json);
std::optional<Budget> ReadBudget(const Json& json);
std::optional<Cost> ReadCapacity(const Json& json);
Declarations ReadDeclarations(const Json& json);

}  // namespace tacit::ledger
