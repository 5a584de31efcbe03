#include "policy/read/server_words.h"

#include "policy/read/secret.h"

namespace tacit::policy::read {

Result<std::string> ReadServerPassword(const std::string& reference, const std::string& folder,
                                       const std::string& engine) {
  const bool is_reference = reference.starts_with("env:") || reference.starts_with("file:") ||
                            reference.starts_with("credential:");
  if (is_reference) return ReadSecret(reference, folder);
  return InvalidArgument("the password of engine " + engine + " stands there itself",
                         kPasswordHint);
}

}  // namespace tacit::policy::read
