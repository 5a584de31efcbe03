#include "gateway/kept/replays.h"

#include <optional>

#include "gateway/kept/plan_key.h"

namespace tacit::gateway {
namespace {

// Why these: four megabytes at most for an analyst, and what a dashboard asks fits.
constexpr size_t kAnswersMax = 512, kAnswerBytesMax = size_t{8} << 10;

size_t BytesOf(const answer::Answer& answer) {
  size_t bytes = answer.rows.bytes() + answer.margins.bytes();
  for (const plan::OutputColumn& column : answer.columns) bytes += column.name.size();
  for (const std::string& notice : answer.notices) bytes += notice.size();
  return bytes;
}

// An id of its own makes a request another question: those are the ledger's to compare. So are
// stored answers of which another one serves than usual.
std::optional<std::string> KeyOf(const Request& request) {
  const bool usual = request.request_id.empty() && !request.coarsest;
  return usual ? PlanKey(request) : std::nullopt;
}

}  // namespace

std::shared_ptr<const answer::Answer> Replays::Find(const Request& request,
                                                    const ledger::Moment& now) {
  const std::optional<std::string> key = KeyOf(request);
  if (!key) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto own = of_.find(request.analyst);
  if (own == of_.end() || own->second.moment != now) return nullptr;
  const auto found = own->second.answers.find(*key);
  return found == own->second.answers.end() ? nullptr : found->second;
}

void Replays::Keep(const Request& request, const ledger::Moment& asked_at,
                   const answer::Answer& answer) {
  const std::optional<std::string> key = KeyOf(request);
  if (!key || key->size() + BytesOf(answer) > kAnswerBytesMax) return;
  const auto kept = std::make_shared<const answer::Answer>(answer);
  const std::lock_guard lock(mutex_);
  Own& own = of_[request.analyst];
  if (own.moment != asked_at || own.answers.size() >= kAnswersMax) own.answers.clear();
  own.moment = asked_at;
  own.answers.insert_or_assign(*key, kept);
}

}  // namespace tacit::gateway
