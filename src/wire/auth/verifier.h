#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secrets/digest.h"  // what else SCRAM is made of

// What the policy keeps instead of a password: SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey
// (RFC 5802, RFC 7677), in PostgreSQL's spelling.

namespace tacit::wire {

struct Verifier {
  int iterations = 0;
  std::string salt;        // bytes
  std::string stored_key;  // 32 bytes
  std::string server_key;  // 32 bytes
};

// Why 4096: PostgreSQL's own, which every client computes in milliseconds. One number for all
// verifiers that this program makes: a different one would tell who exists.
inline constexpr int kIterations = 4096;
inline constexpr size_t kSaltBytes = 16;

Result<Verifier> ParseVerifier(std::string_view text);

// With a fresh salt. The password is prepared as RFC 4013 says, or taken as it is where that does
// not allow it, as PostgreSQL and its clients do. kInvalidArgument for an empty one.
Result<std::string> MakeVerifier(std::string_view password);

// Does the password fit? Takes the same time for a wrong one; costs `iterations` hashes.
bool Matches(const Verifier& verifier, std::string_view password);

// A verifier for a name that does not exist: always the same for the same name and secret, and
// built like `alike`, so that nobody learns from an exchange who exists. Nothing matches it.
Verifier MockVerifier(std::string_view name, std::string_view secret, const Verifier& alike);

// ---- what SCRAM is made of

std::string RandomBytes(size_t count);
std::string Base64(std::string_view bytes);
Result<std::string> FromBase64(std::string_view text);
bool SameSecret(std::string_view a, std::string_view b);  // in the same time whatever they are

}  // namespace tacit::wire
