#pragma once

#include <string>
#include <string_view>

namespace tacit::engine {

// The key that decides which rows a cap keeps, made of the deployment's. Every engine hashes with
// it, and only with it: a server's log may show what statements were given, and the deployment's
// own key vouches for the ledger.
std::string RowKey(std::string_view deployment_key);

}  // namespace tacit::engine
