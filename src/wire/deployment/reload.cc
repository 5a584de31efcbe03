#include "ledger/of_policy.h"
#include "owner/data/change.h"
#include "policy/keys/narrow.h"
#include "wire/deployment/live_deployment.h"
#include "wire/words/log.h"

// A policy that is replaced while questions go on. Policy and copy of the data change together: a
// question under way keeps the terms that it began under, and with them the old copy's open file,
// which is gone from the disk when the last of them is done.

namespace tacit::wire {
namespace {

bool WantsTheSameCopy(const policy::Policy& a, const policy::Policy& b) {
  const auto* one = std::get_if<policy::DuckdbSettings>(&a.engine);
  const auto* other = std::get_if<policy::DuckdbSettings>(&b.engine);
  return one != nullptr && other != nullptr && one->path == other->path &&
         one->tables == other->tables && a.data_version == b.data_version &&
         policy::PolicyVersion(a) == policy::PolicyVersion(b);
}

Error Superseded() {
  return InvalidArgument("a later reload took its place before the tables were prepared");
}

}  // namespace

Result<policy::Policy> LiveDeployment::LoadNext() const {
  TACIT_TRY(policy::Policy policy, owner::LoadDeployment(path_));
  const ledger::Place place = ledger::PlaceOf(policy);
  if (!place.IsThatOf(ledger_place_)) {
    return InvalidArgument("the policy names another ledger: " + place.Name(),
                           "stop the server first; budgets follow people, not files");
  }
  TACIT_CHECK(CheckPolicy(path_));
  return policy;
}

Result<Done> LiveDeployment::PutInForce(policy::Policy policy) {
  TACIT_TRY(TermsInForce terms, LoadTerms(std::move(policy), key_));
  const std::lock_guard lock(mutex_);
  terms_ = std::move(terms);
  return Done{};
}

// What the new policy takes away holds from here on, whatever becomes of the copy.
Result<Done> LiveDeployment::HoldBack(const policy::Policy& next) {
  const TermsInForce old = terms();
  TACIT_TRY(TermsInForce narrowed,
            MakeTerms(policy::Narrowed(old->policy, next), old->schema, old->engine, old->room));
  const std::lock_guard lock(mutex_);
  terms_ = std::move(narrowed);
  return Done{};
}

void LiveDeployment::PrepareInBackground(policy::Policy policy, Told told) {
  Log("reload_prepares", {{"policy", policy::PolicyVersion(policy)}});
  const uint64_t number = ++preparing_number_;
  pending_ = Pending{.policy = policy, .told = std::move(told)};
  preparing_.Begin(
      std::move(policy), SecretBytes(key_.view()), [this, number](const Result<Done>& prepared) {
        return workers_->Submit(
            "", [this, number, prepared](size_t) { FinishPreparing(number, prepared); });
      });
}

void LiveDeployment::FinishPreparing(uint64_t number, const Result<Done>& prepared) {
  const std::lock_guard lock(reload_mutex_);
  if (closing_ || !pending_ || number != preparing_number_) return;
  Pending ready = std::move(*pending_);
  pending_.reset();
  ready.told(prepared.ok() ? PutInForce(std::move(ready.policy)) : prepared);
}

void LiveDeployment::AbandonPending() {
  if (!pending_) return;
  preparing_.GiveUp();
  pending_->told(Superseded());
  pending_.reset();
}

void LiveDeployment::Reload(Told told) {
  const std::lock_guard lock(reload_mutex_);
  if (closing_) return;
  Result<policy::Policy> next = LoadNext();
  if (!next.ok()) return told(std::move(next).error());
  // First: the copy that is there may be about to be replaced by the one in the making.
  if (pending_ && !WantsTheSameCopy(pending_->policy, *next)) AbandonPending();
  if (!NeedsPreparing(*next, key_)) {
    AbandonPending();
    return told(PutInForce(std::move(next).value()));
  }
  if (const Result<Done> held = HoldBack(*next); !held.ok()) return told(held);
  if (!pending_) return PrepareInBackground(std::move(next).value(), std::move(told));
  pending_->told(Superseded());
  pending_ = Pending{.policy = std::move(next).value(), .told = std::move(told)};
}

LiveDeployment::~LiveDeployment() {
  {
    const std::lock_guard lock(reload_mutex_);
    closing_ = true;
    preparing_.GiveUp();
  }
  workers_.reset();
}

}  // namespace tacit::wire
