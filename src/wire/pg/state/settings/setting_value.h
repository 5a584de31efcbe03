#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "catalog/settings.h"

namespace tacit::wire::pg {

// A value of SET, as it will be shown and meant from then on. Errors carry PostgreSQL's condition
// in `rule`; what has a meaning in PostgreSQL that it has not here is one, and so is never taken
// silently. `setting` is null for names of extensions; `now` is the value in force.
struct WantedSetting {
  const catalog::Setting* setting = nullptr;
  std::string name;  // in lower case
  std::string value;
  std::string now;
};
Result<std::string> CheckedSetting(const WantedSetting& wanted, const std::string& analyst);

// "5000", "5s", "2 min": milliseconds unless a unit is named.
std::optional<std::chrono::milliseconds> ParseDuration(const std::string& value);

}  // namespace tacit::wire::pg
