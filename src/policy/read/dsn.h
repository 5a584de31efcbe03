#pragma once

#include <string_view>

namespace tacit::policy::read {

// Whether a server's address holds a password: "password=...", "postgresql://name:...@host". The
// policy is a file that others read.
bool HoldsPassword(std::string_view dsn);

}  // namespace tacit::policy::read
