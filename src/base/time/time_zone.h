#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time/zone_rule.h"

namespace tacit {

// A place's offsets from UTC, of all times. The system's own table of zones (tzdata) is read, once
// for each zone. Usable from many threads at once.
class TimeZone {
 public:
  // By its name in tzdata, in any case of letters; also 'UTC', hours east of it as '5.5' or '-7',
  // and the POSIX form 'GMT-01:00', which counts westwards. kInvalidArgument for any other.
  static Result<std::shared_ptr<const TimeZone>> Find(std::string_view name);
  static const std::shared_ptr<const TimeZone>& Utc();

  // What a file of tzdata says (RFC 9636); nothing for bytes that are none.
  static std::shared_ptr<const TimeZone> Read(std::string name, std::string_view bytes);
  static std::shared_ptr<const TimeZone> Fixed(std::string name, LocalOffset offset);

  const std::string& name() const { return name_; }  // as SHOW prints it

  // In force at an instant, in seconds since 1970 UTC.
  const LocalOffset& At(int64_t utc) const;

  // The instant at which clocks there show so many seconds since 1970. A time that they skip is
  // taken by the offset before, one that they show twice by the offset after, as PostgreSQL does.
  int64_t ToUtc(int64_t shown) const;

 private:
  struct Change {
    int64_t at = 0;  // UTC
    size_t offset = 0;
  };

  std::string name_;
  std::vector<LocalOffset> offsets_;  // the first one holds before all changes
  std::vector<Change> changes_;       // in their order
  std::optional<ZoneRule> rule_;      // of the years after them
};

}  // namespace tacit
