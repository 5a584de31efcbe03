#pragma once

#include <map>
#include <optional>

#include "answer/table_bytes.h"
#include "gateway/services.h"
#include "gateway/stages.h"
#include "plan/derive/top_up.h"

namespace tacit::gateway {

// A question that the asker has paid a coarser answer for: what is missing is drawn, and both
// answers weighed together are stored as the answer to the question. The proof is
// plan/derive/top_up.md.
struct ToppedUp {
  // One release of the plan: the stored answer, and what goes with it.
  struct Part {
    plan::TopUp top_up;
    std::shared_ptr<const answer::TableInBytes> paid;
  };
  enum class Role { kAsPlanned, kDrawn, kTogether };
  // What each release of `price` is, and of which of the plan's.
  struct Place {
    Role role = Role::kAsPlanned;
    size_t release = 0;
  };

  std::map<size_t, Part> parts;  // by the plan's releases
  ledger::ChargeRequest price;   // instead of the plan's: less
  std::vector<Place> places;
};

inline constexpr char kToppedUpNotice[] =
    "an answer that you have paid for is made finer: only what is missing is charged";

// Nothing where no release of the question has a stored answer that the asker has paid for and that
// can be made as fine as it was asked for less than a new one costs. Depends on the plan, the
// asker's own releases and public keys; reads no protected row. `price` is the plan's.
// proof: plan/derive/top_up.md#only-what-the-asker-has-paid-for
Result<std::optional<ToppedUp>> TopUpFromOwn(const plan::PrivatePlan& plan,
                                             const ledger::ChargeRequest& price,
                                             Services& services);

// The numbers of a stored table and of one that was drawn to go with it, weighed together: a
// function of both and of chance. kUnavailable where they have not the same groups.
Result<std::string> TogetherTable(const ToppedUp::Part& part, const std::string& drawn,
                                  Entropy& entropy);

// The steps of CarryOut for such a question.
class ToppedUpStages {
 public:
  // All of them outlive it. `price` is the plan's.
  ToppedUpStages(const plan::PrivatePlan& plan, const ToppedUp& topped_up,
                 const ledger::ChargeRequest& price, Services& services)
      : topped_up_(topped_up), services_(services), stages_(plan, price, services) {}

  Result<Done> Prepare(const ledger::Receipt& quote) { return stages_.Prepare(quote); }
  Error Unfinished() const { return stages_.Unfinished(); }
  Result<Done> Replay(size_t index, std::string bytes);
  Result<const std::string*> Made(size_t index);
  Result<engine::ExactRelease> Exact(size_t index) { return stages_.Exact(At(index).release); }
  answer::TableNoise MechanismOf(size_t index) const;
  Result<const std::string*> Take(size_t index, std::string released);
  Result<answer::Answer> Finish(const ledger::Receipt& receipt);

 private:
  const ToppedUp::Place& At(size_t index) const { return topped_up_.places.at(index); }

  const ToppedUp& topped_up_;
  Services& services_;
  Stages stages_;
  std::map<size_t, std::string> drawn_;  // by the plan's releases
};

}  // namespace tacit::gateway
