#include "wire/http/api/backend.h"

#include <memory>
#include <mutex>
#include <set>

#include "wire/http/api/own_records.h"

namespace tacit::wire::http {
namespace {

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
constexpr WorkerPool::Limits kPasswordThreads{.workers = 2, .waiting_max = 256};

bool Fits(LiveDeployment& deployment, KnownPasswords& known, const std::string& analyst,
          std::string_view password) {
  const Verifier verifier = deployment.terms()->VerifierOf(analyst, deployment.mock_secret());
  if (!Matches(verifier, password)) return false;
  known.Add(known.MacOf(analyst, password, verifier));
  return true;
}

}  // namespace

Backend BackendOf(LiveDeployment& deployment) {
  const auto known = std::make_shared<KnownPasswords>();
  const auto password_threads = std::make_shared<WorkerPool>(kPasswordThreads);
  return {
      .by_password_thread =
          [password_threads](const std::string& address, Backend::Work work) {
            return password_threads->Submit(address, std::move(work));
          },
      .by_worker =
          [&deployment](const std::string& analyst, Backend::Work work) {
            return HandToWorker(analyst, deployment, std::move(work));
          },
      .remembers =
          [&deployment, known](const std::string& analyst, std::string_view password) {
            const Verifier verifier =
                deployment.terms()->VerifierOf(analyst, deployment.mock_secret());
            return known->Has(known->MacOf(analyst, password, verifier));
          },
      .knows =
          [&deployment, known](const std::string& analyst, std::string_view password) {
            return Fits(deployment, *known, analyst, password);
          },
      .query = [&deployment](
                   Question question,
                   size_t worker) { return Answer(std::move(question), deployment, worker); },
      .explain = [&deployment](Question question,
                               size_t worker) { return Explain(question, deployment, worker); },
      .budget =
          [&deployment](const std::string& analyst) { return BudgetJson(deployment, analyst); },
      .ledger =
          [&deployment](const std::string& analyst) { return LedgerJson(deployment, analyst); },
      .tables = [&deployment](const std::string&) -> Result<std::string> {
        return TablesJson(*deployment.terms());
      },
  };
}

}  // namespace tacit::wire::http
