#pragma once

#include <string_view>

namespace tacit::sql {

// Europe/Berlin, UTC: whether the engine knows the zone's rules. As they are spelled.
bool IsTimeZone(std::string_view name);

}  // namespace tacit::sql
