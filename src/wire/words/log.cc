#include "wire/words/log.h"

#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/process/memory_reserve.h"

namespace tacit::wire {

namespace {

void Write(std::string_view event,
           std::initializer_list<std::pair<std::string_view, std::string>> fields) {
  std::timespec now = {};
  std::timespec_get(&now, TIME_UTC);
  std::tm utc = {};
  ::gmtime_r(&now.tv_sec, &utc);
  char time[64];
  const size_t length = std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(time + length, sizeof time - length, ".%03dZ",
                static_cast<int>(now.tv_nsec / 1'000'000));
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  nlohmann::ordered_json line = {{"time", time}, {"event", event}};
  for (const auto& [name, value] : fields) line[std::string(name)] = value;
  const std::string text =
      line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  (void)std::fwrite(text.data(), 1, text.size(), stderr);  // one call: lines do not mix
}

}  // namespace

std::string CutForLog(std::string_view name) {
  constexpr size_t kBytesMax = 64;
  std::string cut(name.substr(0, kBytesMax));
  if (name.size() > kBytesMax) cut += "...";
  return cut;
}

void Log(std::string_view event,
         std::initializer_list<std::pair<std::string_view, std::string>> fields) noexcept {
  try {
    Write(event, fields);
  } catch (...) {
    static constexpr char kLost[] = "{\"event\":\"line_lost\"}\n";  // no memory for more
    (void)std::fwrite(kLost, 1, sizeof kLost - 1, stderr);
  }
}

}  // namespace tacit::wire
