#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/auth/verifier.h"

namespace tacit::wire {

inline constexpr char kScramSha256[] = "SCRAM-SHA-256";
inline constexpr char kScramSha256Plus[] = "SCRAM-SHA-256-PLUS";

// The server's side of one SCRAM exchange, as messages; it knows nothing of sockets. An error is
// the end of it; which one it was must not reach the client, except for a malformed message.
class ScramExchange {
 public:
  // `certificate_hash` is tls-server-end-point's, empty where -PLUS was not offered. `mechanism` is
  // what the client chose.
  ScramExchange(Verifier verifier, std::string mechanism, std::string certificate_hash);

  // client-first -> server-first
  Result<std::string> First(std::string_view message);
  // client-final -> server-final; the client knows the password.
  Result<std::string> Final(std::string_view message);

 private:
  Result<Done> ReadBinding(std::string_view& message);

  Verifier verifier_;
  bool plus_;
  std::string certificate_hash_;
  std::string binding_;  // what c= must say
  std::string nonce_;
  std::string signed_;  // client-first-bare,server-first
};

}  // namespace tacit::wire
