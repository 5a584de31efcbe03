#include "wire/http/api/doors.h"

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "gateway/answer_query.h"
#include "wire/http/api/own_records.h"
#include "wire/service/ask.h"
#include "wire/service/time_grid.h"

namespace tacit::wire::http {
namespace {

using Clock = std::chrono::steady_clock;

// Passwords that fitted lately: a client sends its own with every request, and each check costs
// thousands of hashes. What is kept is a MAC under a key of this process.
class KnownPasswords {
 public:
  bool Has(const std::string& mac) {
    const std::lock_guard lock(mutex_);
    return macs_.contains(mac);
  }
  void Add(const std::string& mac) {
    const std::lock_guard lock(mutex_);
    if (macs_.size() >= kKeptMax) macs_.clear();
    macs_.insert(mac);
  }
  // Bound to the verifier: a changed password is unknown again.
  std::string MacOf(const std::string& analyst, const std::string& password,
                    const Verifier& verifier) const {
    return HmacSha256(key_, Sha256(analyst) + Sha256(password) + verifier.stored_key);
  }

 private:
  static constexpr size_t kKeptMax = 1024;
  const std::string key_ = RandomBytes(32);
  std::mutex mutex_;
  std::set<std::string> macs_;
};

Error TooMany() {
  Error error = InvalidArgument("too many of your questions are waiting",
                                "wait for the answers of those you sent");
  error.code = ErrorCode::kUnavailable;
  return error;
}

// Carries `work` out on a thread of the crew and waits for it.
template <class T, class Work>
Result<T> OnTheCrew(House& house, const std::string& analyst, Work work) {
  auto promise = std::make_shared<std::promise<Result<T>>>();
  std::future<Result<T>> result = promise->get_future();
  const bool taken = house.crew().Submit(
      analyst, [promise, work](size_t worker) { promise->set_value(work(worker)); });
  if (!taken) return TooMany();
  return result.get();
}

Result<answer::Answer> Query(House& house, const gateway::Request& question) {
  const TermsInForce terms = house.terms();
  const Clock::time_point start = Clock::now();
  Result<answer::Answer> answer =
      OnTheCrew<answer::Answer>(house, question.analyst, [&](size_t worker) {
        gateway::Services services = house.ServicesFor(terms, worker);
        return gateway::AnswerQuery(question, services);
      });
  house.metrics().Count(
      answer.ok() ? Metrics::Outcome::kAnswered : Metrics::OutcomeOf(answer.error()),
      Clock::now() - start);
  LogFailure(question.analyst, answer);
  std::this_thread::sleep_until(
      NextTick(start, Clock::now(), terms->policy.server.answer_every_ms));
  return answer;
}

// On the grid as well: what the ledger has stored makes a price quicker or slower to tell.
Result<answer::Explanation> Explain(House& house, const gateway::Request& question) {
  const TermsInForce terms = house.terms();
  const Clock::time_point start = Clock::now();
  Result<answer::Explanation> explanation =
      OnTheCrew<answer::Explanation>(house, question.analyst, [&](size_t worker) {
        gateway::Services services = house.ServicesFor(terms, worker);
        return gateway::ExplainQuery(question, services);
      });
  std::this_thread::sleep_until(
      NextTick(start, Clock::now(), terms->policy.server.answer_every_ms));
  return explanation;
}

}  // namespace

Doors DoorsOf(House& house) {
  auto known = std::make_shared<KnownPasswords>();
  return {
      .knows =
          [&house, known](const std::string& analyst, const std::string& password) {
            const Verifier verifier = house.terms()->VerifierOf(analyst, house.mock_secret());
            const std::string mac = known->MacOf(analyst, password, verifier);
            if (known->Has(mac)) return true;
            if (!Matches(verifier, password)) return false;
            known->Add(mac);
            return true;
          },
      .query = [&house](const gateway::Request& question) { return Query(house, question); },
      .explain = [&house](const gateway::Request& question) { return Explain(house, question); },
      .budget = [&house](const std::string& analyst) { return BudgetJson(house, analyst); },
      .ledger = [&house](const std::string& analyst) { return LedgerJson(house, analyst); },
      .tables = [&house](const std::string&) -> Result<std::string> {
        return TablesJson(*house.terms());
      },
  };
}

}  // namespace tacit::wire::http
