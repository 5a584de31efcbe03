// What a session says about time and form: zones by name, by rule and as files of tzdata, styles of
// dates and intervals, timestamps in a zone. What is read is written so that it reads the same, and
// every instant that a column can hold has a text in every style.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/assert.h"
#include "base/time/time_zone.h"
#include "sql/constants/calendar.h"
#include "sql/constants/zone.h"
#include "sql/parse/literal.h"
#include "wire/pg/types/text/text_style.h"

namespace tacit {
namespace {

using wire::pg::DateStyle;
using wire::pg::IntervalStyle;
using wire::pg::TextStyle;

// No clock is further off than this, so that what it shows is a day before or after at most.
void TryClocks(const TimeZone& zone) {
  constexpr int64_t kYear = 31'556'952;
  for (int64_t instant = -2000 * kYear; instant < 8000 * kYear; instant += 97 * kYear + 12'345) {
    const int64_t shown = instant + zone.At(instant).seconds;
    const int64_t again = zone.ToUtc(shown);
    TACIT_ASSERT(std::max(again, instant) - std::min(again, instant) <= 2 * 86'400 * 2);
  }
}

void TryZones(std::string_view text) {
  if (const Result<std::shared_ptr<const TimeZone>> named = TimeZone::Find(text); named.ok()) {
    TACIT_ASSERT(TimeZone::Find((*named)->name()).ok());
    TryClocks(**named);
  }
  if (const auto rule = ZoneRule::Parse(text)) {
    for (const int64_t at : {INT64_C(-62'135'596'800), INT64_C(0), INT64_C(253'402'300'799)}) {
      TACIT_ASSERT(std::abs(rule->At(at).seconds) <= 86'400 * 8);
    }
  }
  if (const auto read = TimeZone::Read("Some/Where", text)) (void)read->At(0);
}

void TryTimestamp(std::string_view text, const TimeZone& zone) {
  const std::optional<std::string> utc = sql::CanonicalTimestampTz(text, &zone);
  const std::optional<std::string> local = sql::CanonicalTimestamp(text);
  if (local) TACIT_ASSERT(sql::CanonicalTimestamp(*local) == local);
  if (!utc) return;
  TACIT_ASSERT(local.has_value());
  TACIT_ASSERT(sql::CanonicalTimestampTz(*utc + "+00", &zone) == utc);
  if (sql::SaysItsOffset(text)) TACIT_ASSERT(sql::CanonicalTimestampTz(text) == utc);
}

void TryStyles(std::string_view text) {
  if (const auto date = wire::pg::ParseDateStyle(text, DateStyle{})) {
    TACIT_ASSERT(wire::pg::ParseDateStyle(wire::pg::NameOf(*date), DateStyle{}) == date);
  }
  (void)wire::pg::ParseIntervalStyle(text);
  (void)wire::pg::ExtraFloatDigits(text);
  if (const auto interval = sql::ParseInterval(text)) {
    TACIT_ASSERT(sql::ParseInterval(sql::ToString(*interval)) == interval);
  }
}

void TryTexts(const uint8_t* bytes, size_t size, const std::shared_ptr<const TimeZone>& zone) {
  int64_t micros = 0;
  std::memcpy(&micros, bytes, std::min(size, sizeof micros));
  for (const char* form : {"ISO, MDY", "SQL, DMY", "Postgres, MDY", "German, YMD"}) {
    TextStyle style;
    style.date = wire::pg::ParseDateStyle(form, DateStyle{}).value();
    style.zone = zone;
    for (const bool with_zone : {false, true}) {
      const engine::Timestamp instant{micros, with_zone};
      TACIT_ASSERT(!wire::pg::TimestampTextOf(instant, style).empty());
    }
    const engine::Date day{static_cast<int32_t>(micros)};
    TACIT_ASSERT(!wire::pg::DateTextOf(day, style.date).empty());
  }
}

}  // namespace
}  // namespace tacit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size == 0) return 0;
  constexpr const char* kZones[] = {"UTC",          "Europe/Berlin",   "America/St_Johns",
                                    "Pacific/Apia", "Africa/Monrovia", "5.75",
                                    "GMT+14"};
  const auto zone = tacit::TimeZone::Find(kZones[bytes[0] % std::size(kZones)]);
  const auto& known = zone.ok() ? *zone : tacit::TimeZone::Utc();
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  tacit::TryZones(text);
  tacit::TryTimestamp(text, *known);
  tacit::TryStyles(text);
  tacit::TryTexts(bytes + 1, size - 1, known);
  return 0;
}
