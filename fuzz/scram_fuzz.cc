#include "wire/auth/scram.h"

// Both messages of a client, and the verifiers of a policy.

using namespace tacit::wire;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const size_t half = input.find('\n');
  const Verifier verifier{.iterations = 4096,
                          .salt = std::string(16, 's'),
                          .stored_key = std::string(32, 'a'),
                          .server_key = std::string(32, 'b')};
  for (const char* mechanism : {kScramSha256, kScramSha256Plus}) {
    ScramExchange exchange(verifier, mechanism, "hash");
    if (!exchange.First(input.substr(0, half)).ok() || half == std::string_view::npos) continue;
    // Nobody guesses 32 bytes.
    if (exchange.Final(input.substr(half + 1)).ok()) __builtin_trap();
  }
  (void)ParseVerifier(input);
  (void)FromBase64(input);
  return 0;
}
