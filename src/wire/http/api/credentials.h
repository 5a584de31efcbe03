#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/secrets/secret_bytes.h"

namespace tacit::wire::http {

struct Credentials {
  std::string analyst;
  SecretBytes password;
};

// Of "Basic YW5hOnNlY3JldA==" (RFC 7617); nothing for whatever is not exactly that.
std::optional<Credentials> CredentialsOf(std::string_view authorization);

}  // namespace tacit::wire::http
