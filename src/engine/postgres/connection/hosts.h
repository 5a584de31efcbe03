#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace tacit::engine::postgres {

// libpq's words for one host of a DSN: tried one after the other, each gets a time of its own,
// which libpq does not give to those that are connected to without waiting.
struct HostWords {
  std::string name;  // for people
  std::vector<std::pair<std::string, std::string>> words;
};

// kInvalidArgument for what is no DSN, and for one that holds a password.
Result<std::vector<HostWords>> HostsOf(const policy::PostgresSettings& settings);

}  // namespace tacit::engine::postgres
