#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "answer/answer.h"
#include "ledger/ledger.h"

namespace tacit::gateway {

struct Request;

// Small answers that cost nothing, under one policy and schema: while nobody writes to the ledger,
// the same question of the same analyst has the same answer, down to what is left of the budget,
// and nothing has to be looked up or computed for it. Each analyst's are apart, so that no one's
// questions make another's faster or push them out. From any thread.
class Replays {
 public:
  // The answer to this request in the ledger's state `now`; null when it is not here.
  std::shared_ptr<const answer::Answer> Find(const Request& request, const ledger::Moment& now);

  // `asked_at` is a moment from before the answer was looked up: if the ledger changed meanwhile,
  // it never comes again and the answer is never found.
  void Keep(const Request& request, const ledger::Moment& asked_at, const answer::Answer& answer);

 private:
  struct Own {
    ledger::Moment moment;  // of all of them: those of another are of no use any more
    std::unordered_map<std::string, std::shared_ptr<const answer::Answer>> answers;  // by plan key
  };

  std::mutex mutex_;
  std::map<std::string, Own> of_;  // by analyst
};

}  // namespace tacit::gateway
