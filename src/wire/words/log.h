#pragma once

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tacit::wire {

// One line of JSON on stderr: {"time": ..., "event": ..., ...}. Callers pass names, counts of
// messages and public texts; never a value of the data, a query's text, a password or a key. For
// want of memory it is a line that says so.
void Log(std::string_view event,
         std::initializer_list<std::pair<std::string_view, std::string>> fields = {}) noexcept;

// The same for every wrong login, whoever it was and by whichever protocol.
inline constexpr std::chrono::milliseconds kWrongLoginDelay{300};

}  // namespace tacit::wire
