#include "policy/keys/narrow.h"

#include <algorithm>

namespace tacit::policy {
namespace {

Budget SmallerOf(const Budget& a, const Budget& b) {
  return {.epsilon = std::min(a.epsilon, b.epsilon), .delta = std::min(a.delta, b.delta)};
}

}  // namespace

Policy Narrowed(const Policy& old, const Policy& fresh) {
  Policy narrowed = old;
  narrowed.privacy.budget = SmallerOf(old.privacy.budget, fresh.privacy.budget);
  QueryPrice& price = narrowed.privacy.query;
  price.epsilon_max = std::min(price.epsilon_max, fresh.privacy.query.epsilon_max);
  price.epsilon = std::min(price.epsilon, price.epsilon_max);
  price.delta = std::min(price.delta, fresh.privacy.query.delta);
  narrowed.server.answer_every_ms =
      std::max(old.server.answer_every_ms, fresh.server.answer_every_ms);
  narrowed.server.tls = fresh.server.tls;
  narrowed.analysts.clear();
  for (const Analyst& analyst : old.analysts) {
    const Analyst* stays = fresh.FindAnalyst(analyst.name);
    if (stays == nullptr) continue;
    narrowed.analysts.push_back(analyst);
    narrowed.analysts.back().password = stays->password;
    narrowed.analysts.back().budget = SmallerOf(analyst.budget, stays->budget);
  }
  return narrowed;
}

}  // namespace tacit::policy
