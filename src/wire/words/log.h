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

// A name that a stranger gave, as far as it could be an account's: a line takes no more room than
// the honest ones. Why 64: names of people, and of programs.
std::string CutForLog(std::string_view name);

// For lines that a flood would repeat until the disk is full: true once a second. For one thread.
class OnceASecond {
 public:
  bool Due() {
    const auto now = std::chrono::steady_clock::now();
    if (now < again_) return false;
    again_ = now + std::chrono::seconds(1);
    return true;
  }

 private:
  std::chrono::steady_clock::time_point again_;
};

// The same for every wrong login, whoever it was and by whichever protocol.
inline constexpr std::chrono::milliseconds kWrongLoginDelay{300};

}  // namespace tacit::wire
