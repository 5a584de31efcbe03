#include "gateway/moment.h"

#include "sql/constants/calendar.h"
#include "sql/parse/literal.h"

namespace tacit::gateway {

int64_t RoundedNow(const policy::Policy& policy, std::optional<WallTime> began) {
  using std::chrono::microseconds;
  constexpr int64_t kMinute = 60'000'000;
  const int64_t unit = policy.server.now == policy::NowUnit::kDay    ? 24 * 60 * kMinute
                       : policy.server.now == policy::NowUnit::kHour ? 60 * kMinute
                                                                     : kMinute;
  const WallTime moment = began.value_or(std::chrono::system_clock::now());
  const int64_t now = std::chrono::duration_cast<microseconds>(moment.time_since_epoch()).count();
  return now - now % unit;
}

Result<Request> AsFirstAsked(const Request& request, Services& services) {
  if (request.request_id.empty() || !request.now) return request;
  TACIT_TRY(const std::optional<std::string> charged,
            services.ledger.TimeOfRequest(request.analyst, request.request_id));
  const std::optional<std::string> utc =
      charged ? sql::CanonicalTimestampTz(*charged) : std::nullopt;
  if (!utc) return request;
  const std::optional<int64_t> then =
      sql::InstantOf({.kind = sql::LiteralKind::kTimestampTz, .text = *utc, .interval = {}});
  Request first = request;
  first.now = RoundedNow(services.policy, WallTime(std::chrono::microseconds(*then)));
  return first;
}

}  // namespace tacit::gateway
