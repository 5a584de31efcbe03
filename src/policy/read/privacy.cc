#include "policy/read/sections.h"

namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;
using yaml::Node;
using yaml::Words;

// Why: a family or a household; a larger number is a typing mistake that would drown every answer.
constexpr int64_t kProtectsMax = 10'000;

// Above 0: the range of base/numbers/privacy_parameters.h, said at the number's place.
Result<Epsilon> ReadEpsilon(const Words& words, std::string_view word, std::string_view file) {
  TACIT_TRY(const Rational value, words.NeedNumber(word, std::string(word) + ": 1"));
  Result<Epsilon> epsilon = CheckedEpsilon(value, word);
  if (epsilon.ok()) return epsilon;
  return ErrorAt(file, words.Find(word)->place, epsilon.error().public_message,
                 "below 1 protects strongly, above 10 hardly at all");
}

Result<Delta> ReadDelta(const Words& words, std::string_view file) {
  TACIT_TRY(const Rational value, words.NeedNumber("delta", "delta: 1e-6"));
  Result<Delta> delta = CheckedDelta(value, "delta");
  if (delta.ok()) return delta;
  return ErrorAt(file, words.Find("delta")->place, delta.error().public_message,
                 "far below one in the number of people, like 1e-6; 0 shows no private group keys");
}

Result<QueryPrice> ReadQueryPrice(const Node& node, std::string_view file) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "privacy.query", {"epsilon", "epsilon_max", "delta"}));
  QueryPrice price;
  price.place = node.place;
  TACIT_TRY(price.epsilon, ReadEpsilon(words, "epsilon", file));
  TACIT_TRY(price.epsilon_max, ReadEpsilon(words, "epsilon_max", file));
  TACIT_TRY(price.delta, ReadDelta(words, file));
  if (price.epsilon_max < price.epsilon) {
    return ErrorAt(file, words.Find("epsilon_max")->place,
                   "epsilon_max " + ToString(price.epsilon_max.value) +
                       " is below the price of a plain query, epsilon " +
                       ToString(price.epsilon.value),
                   "raise epsilon_max or lower epsilon");
  }
  return price;
}

}  // namespace

Result<Budget> ReadBudget(const Node& node, std::string_view file, std::string what) {
  TACIT_TRY(const Words words, Words::Of(node, file, std::move(what), {"epsilon", "delta"}));
  Budget budget;
  TACIT_TRY(budget.epsilon, ReadEpsilon(words, "epsilon", file));
  TACIT_TRY(budget.delta, ReadDelta(words, file));
  return budget;
}

Result<Privacy> ReadPrivacy(const Node& node, std::string_view file) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "privacy",
                      {"neighbours", "protects", "accounting", "budget", "query"}));
  Privacy privacy;
  TACIT_TRY(const int neighbours, words.NeedChoice("neighbours", {"add_remove", "replace_one"}));
  privacy.neighbours = neighbours == 0 ? Neighbours::kAddRemove : Neighbours::kReplaceOne;
  TACIT_TRY(const int64_t protects, words.Whole("protects", 1, kProtectsMax, 1));
  privacy.protects = static_cast<int>(protects);
  TACIT_TRY(const int accounting, words.NeedChoice("accounting", {"pure", "zcdp"}));
  privacy.accounting = accounting == 0 ? Accounting::kPure : Accounting::kZcdp;

  TACIT_TRY(const Node* budget, words.Need("budget", "budget: {epsilon: 3, delta: 1e-6}"));
  privacy.budget_place = budget->place;
  TACIT_TRY(privacy.budget, ReadBudget(*budget, file, "privacy.budget"));
  if (privacy.accounting == Accounting::kZcdp && privacy.budget.delta.value == 0) {
    return ErrorAt(file, budget->place, "accounting: zcdp needs a delta above 0 in the budget",
                   "write a delta like 1e-6, or accounting: pure");
  }
  TACIT_TRY(const Node* query,
            words.Need("query", "query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}"));
  TACIT_TRY(privacy.query, ReadQueryPrice(*query, file));
  return privacy;
}

}  // namespace tacit::policy::read
