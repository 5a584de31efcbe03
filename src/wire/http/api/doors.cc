#include "wire/http/api/doors.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <set>

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
  std::string MacOf(const std::string& analyst, std::string_view password,
                    const Verifier& verifier) const {
    return HmacSha256(key_, Sha256(analyst) + Sha256(password) + verifier.stored_key);
  }

 private:
  static constexpr size_t kKeptMax = 1024;
  const std::string key_ = RandomBytes(32);
  std::mutex mutex_;
  std::set<std::string> macs_;
};

// The threads that check passwords: addresses take turns, so that one that guesses keeps no other
// waiting. Why 2: each check takes a millisecond or a few. Why 256: a pool of programs behind one
// address that all begin at once.
constexpr Crew::Limits kGate{.workers = 2, .waiting_max = 256};

Result<answer::Answer> Query(House& house, const gateway::Request& question, size_t worker) {
  const TermsInForce terms = house.terms();
  const Clock::time_point start = Clock::now();
  gateway::Services services = house.ServicesFor(terms, worker);
  Result<answer::Answer> answer = gateway::AnswerQuery(question, services);
  house.metrics().Count(
      answer.ok() ? Metrics::Outcome::kAnswered : Metrics::OutcomeOf(answer.error()),
      Clock::now() - start);
  LogFailure(question.analyst, answer);
  return answer;
}

Result<answer::Explanation> Explain(House& house, const gateway::Request& question, size_t worker) {
  const TermsInForce terms = house.terms();
  gateway::Services services = house.ServicesFor(terms, worker);
  return gateway::ExplainQuery(question, services);
}

bool Fits(House& house, KnownPasswords& known, const std::string& analyst,
          std::string_view password) {
  const Verifier verifier = house.terms()->VerifierOf(analyst, house.mock_secret());
  if (!Matches(verifier, password)) return false;
  known.Add(known.MacOf(analyst, password, verifier));
  return true;
}

}  // namespace

Doors DoorsOf(House& house) {
  const auto known = std::make_shared<KnownPasswords>();
  const auto gate = std::make_shared<Crew>(kGate);
  return {
      .at_the_gate = [gate](const std::string& address,
                            Doors::Work work) { return gate->Submit(address, std::move(work)); },
      .by_the_crew =
          [&house](const std::string& analyst, Doors::Work work) {
            return house.crew().Submit(analyst, std::move(work));
          },
      .remembers =
          [&house, known](const std::string& analyst, std::string_view password) {
            const Verifier verifier = house.terms()->VerifierOf(analyst, house.mock_secret());
            return known->Has(known->MacOf(analyst, password, verifier));
          },
      .knows = [&house, known](
                   const std::string& analyst,
                   std::string_view password) { return Fits(house, *known, analyst, password); },
      .query = [&house](const gateway::Request& question,
                        size_t worker) { return Query(house, question, worker); },
      .explain = [&house](const gateway::Request& question,
                          size_t worker) { return Explain(house, question, worker); },
      .tick =
          [&house](Clock::time_point asked) {
            return NextTick(asked, Clock::now(), house.terms()->policy.server.answer_every_ms);
          },
      .budget = [&house](const std::string& analyst) { return BudgetJson(house, analyst); },
      .ledger = [&house](const std::string& analyst) { return LedgerJson(house, analyst); },
      .tables = [&house](const std::string&) -> Result<std::string> {
        return TablesJson(*house.terms());
      },
  };
}

}  // namespace tacit::wire::http
