#pragma once

#include <algorithm>
#include <utility>

#include "base/secrets/entropy.h"
#include "ledger/ledger.h"
#include "noise/release.h"

namespace tacit::gateway {

// Whether stored answers serve every release, and the asker has paid for all of them: then the
// quote says all that a charge would, and nothing is written.
inline bool IsFree(const ledger::Receipt& receipt) {
  return !receipt.charged() && std::all_of(receipt.releases.begin(), receipt.releases.end(),
                                           [](const ledger::GrantedRelease& release) {
                                             return release.bytes.has_value();
                                           });
}

// An answer that could not be kept does not leave: asked again it would be another one, paid anew.
inline Result<Done> OrChargeStands(Result<Done> stored) {
  if (stored.ok()) return Done{};
  Error error = std::move(stored).error();
  error.public_message += "; the answer was not kept, and its charge stands";
  return error;
}

// Release i where the steps compute it from earlier ones; null where it has to be drawn.
template <class Steps>
Result<const std::string*> MadeOf(Steps& steps, size_t i) {
  if constexpr (requires { steps.Made(i); }) {
    return steps.Made(i);
  } else {
    return static_cast<const std::string*>(nullptr);
  }
}

inline Result<Done> StoreMade(const ledger::Receipt& receipt, size_t i, const std::string& bytes,
                              ledger::Ledger& ledger) {
  return OrChargeStands(ledger.Store(receipt, i, bytes));
}

// The answer of a receipt that is free: nothing is charged, and nothing is drawn.
template <class Steps>
auto ReplayAll(ledger::Receipt receipt, Steps& steps) -> decltype(steps.Finish(receipt)) {
  TACIT_ASSERT(IsFree(receipt));
  TACIT_CHECK(steps.Prepare(receipt));
  for (size_t i = 0; i < receipt.releases.size(); ++i) {
    TACIT_CHECK(steps.Replay(i, *receipt.releases[i].bytes));
  }
  return steps.Finish(receipt);
}

// The one way from a price to an answer, for whatever releases something about people: SQL is the
// first of its users. Quote, prepare, charge, draw, store, finish, in this order and nowhere else.
// When it returns a value, the charge is on stable storage, and so is everything that was drawn;
// when it returns an error after the charge, the charge stands.
//
// Steps is a class with
//   Result<Done> Prepare(const ledger::Receipt& quote)
//     What can go wrong without looking at a row goes wrong here, while nothing is charged.
//   Error Unfinished() const
//     The one text for whatever is thrown after the charge: what it was could depend on a row.
//   Result<Done> Replay(size_t i, std::string bytes)
//     Release i of the charge, as it was stored before.
//   Result<Sensitive<T>> Exact(size_t i)
//     Of release i, which has been charged. It may use the releases before it.
//   M MechanismOf(size_t i)
//     What makes it noisy: any object that noise::Release takes, with its proof beside it. The
//     charge has its price.
//   Result<const std::string*> Take(size_t i, R released)
//     What the mechanism gave; the bytes that a replay needs, alive until Finish.
//   Result<Answer> Finish(const ledger::Receipt& receipt)
//     From what was released alone.
// and, where some releases follow from those before them,
//   Result<const std::string*> Made(size_t i)
//     Release i, computed from what was released alone; null: it has to be drawn.
// `quoted` is what the ledger has just said of the charge.
template <class Steps>
auto CarryOut(Result<ledger::Receipt> quoted, const ledger::ChargeRequest& charge, Steps& steps,
              ledger::Ledger& ledger, Entropy& entropy)
    -> decltype(steps.Finish(std::declval<ledger::Receipt>())) {
  TACIT_TRY(ledger::Receipt quote, std::move(quoted));
  TACIT_CHECK(steps.Prepare(quote));
  Error unfinished = steps.Unfinished();  // made now, so that saying it needs no memory
  // Charge before anything is drawn: from here on even a failure is an observation.
  TACIT_TRY(ledger::Receipt receipt,
            IsFree(quote) ? Result<ledger::Receipt>(std::move(quote)) : ledger.Charge(charge));
  try {
    for (size_t i = 0; i < receipt.releases.size(); ++i) {
      if (receipt.releases[i].bytes) {
        TACIT_CHECK(steps.Replay(i, std::move(*receipt.releases[i].bytes)));
        continue;
      }
      TACIT_TRY(const std::string* const made, MadeOf(steps, i));
      if (made != nullptr) {
        TACIT_CHECK(StoreMade(receipt, i, *made, ledger));
        continue;
      }
      TACIT_TRY(auto exact, steps.Exact(i));
      auto released = noise::Release(steps.MechanismOf(i), std::move(exact), entropy);
      TACIT_TRY(const std::string* const bytes, steps.Take(i, std::move(released).value()));
      TACIT_CHECK(OrChargeStands(ledger.Store(receipt, i, *bytes)));
    }
    return steps.Finish(receipt);
  } catch (...) {
    return unfinished;
  }
}

template <class Steps>
auto CarryOut(const ledger::ChargeRequest& charge, Steps& steps, ledger::Ledger& ledger,
              Entropy& entropy) -> decltype(steps.Finish(std::declval<ledger::Receipt>())) {
  return CarryOut(ledger.Quote(charge), charge, steps, ledger, entropy);
}

}  // namespace tacit::gateway
