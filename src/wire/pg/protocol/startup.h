#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

// The packets before a session: they have a length and a number, but no type.

namespace tacit::wire::pg {

struct TlsWanted {};
struct GssWanted {};  // always answered no

struct CancelWanted {
  int32_t process = 0;
  int32_t secret = 0;
};

struct StartupWanted {
  uint16_t minor = 0;  // of protocol 3
  std::map<std::string, std::string> parameters;
  std::vector<std::string> unknown_options;  // _pq_.*, which the answer has to name

  std::string Value(const std::string& name) const;
};

using StartupPacket = std::variant<TlsWanted, GssWanted, CancelWanted, StartupWanted>;

// `body` is the packet after its length. kInvalidArgument for what is none of them; rule
// feature_not_supported for another major version.
Result<StartupPacket> ReadStartup(std::string_view body);

}  // namespace tacit::wire::pg
