#include "wire/auth/verifier.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stringprep.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/process/no_memory.h"
#include "base/secrets/secret_bytes.h"

namespace tacit::wire {
namespace {

constexpr std::string_view kScheme = "SCRAM-SHA-256$";

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// SASLprep; what it does not allow stays as it is.
SecretBytes Prepared(std::string_view password) {
  // The library wants a text that ends with a zero.
  SecretBytes text = SecretBytes::OfSize(password.size() + 1);
  std::copy(password.begin(), password.end(), text.data());
  char* prepared = nullptr;
  if (password.find('\0') != std::string_view::npos ||
      stringprep_profile(text.data(), &prepared, "SASLprep",
                         static_cast<Stringprep_profile_flags>(0)) != STRINGPREP_OK) {
    return SecretBytes(password);
  }
  const std::string_view result = prepared;
  SecretBytes kept(result.empty() ? password : result);
  Wipe(prepared, result.size());
  std::free(prepared);
  return kept;
}

SecretBytes SaltedPassword(std::string_view password, std::string_view salt, int iterations) {
  const SecretBytes prepared = Prepared(password);
  SecretBytes key = SecretBytes::OfSize(SHA256_DIGEST_LENGTH);
  const int done =
      PKCS5_PBKDF2_HMAC(prepared.view().data(), static_cast<int>(prepared.size()), Bytes(salt),
                        static_cast<int>(salt.size()), iterations, EVP_sha256(),
                        static_cast<int>(key.size()), reinterpret_cast<unsigned char*>(key.data()));
  OrNoMemory(done == 1);
  return key;
}

Error NotAVerifier() { return InvalidArgument("this is not a SCRAM-SHA-256 verifier"); }

}  // namespace

std::string RandomBytes(size_t count) {
  std::string bytes(count, '\0');
  const int done =
      RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count));
  OrNoMemory(done == 1);
  return bytes;
}

std::string Base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), Bytes(bytes),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(length));
  return text;
}

Result<std::string> FromBase64(std::string_view text) {
  // EVP_DecodeBlock takes white space and does not say how much padding there was.
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  if (text.empty() || text.size() % 4 != 0 || text.size() > 64 * 1024 ||
      text.find_first_not_of(kAlphabet) != std::string_view::npos) {
    return InvalidArgument("this is not base64");
  }
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  if (text.find('=') < text.size() - padding) return InvalidArgument("this is not base64");
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), Bytes(text),
                                     static_cast<int>(text.size()));
  if (length < 0) return InvalidArgument("this is not base64");
  bytes.resize(bytes.size() - padding);
  return bytes;
}

bool SameSecret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<Verifier> ParseVerifier(std::string_view text) {
  if (!text.starts_with(kScheme)) return NotAVerifier();
  text.remove_prefix(kScheme.size());
  const size_t colon = text.find(':'), dollar = text.find('$');
  if (colon == std::string_view::npos || dollar == std::string_view::npos || colon > dollar) {
    return NotAVerifier();
  }
  const std::string_view keys = text.substr(dollar + 1);
  const size_t keys_colon = keys.find(':');
  Verifier verifier;
  const auto parsed = std::from_chars(text.data(), text.data() + colon, verifier.iterations);
  if (keys_colon == std::string_view::npos || parsed.ec != std::errc() ||
      parsed.ptr != text.data() + colon || verifier.iterations < 1) {
    return NotAVerifier();
  }
  TACIT_TRY(verifier.salt, FromBase64(text.substr(colon + 1, dollar - colon - 1)));
  TACIT_TRY(verifier.stored_key, FromBase64(keys.substr(0, keys_colon)));
  TACIT_TRY(verifier.server_key, FromBase64(keys.substr(keys_colon + 1)));
  if (verifier.stored_key.size() != SHA256_DIGEST_LENGTH ||
      verifier.server_key.size() != SHA256_DIGEST_LENGTH) {
    return NotAVerifier();
  }
  return verifier;
}

Result<std::string> MakeVerifier(std::string_view password) {
  if (password.empty()) return InvalidArgument("the password is empty");
  const std::string salt = RandomBytes(kSaltBytes);
  const SecretBytes salted = SaltedPassword(password, salt, kIterations);
  const std::string stored_key = Sha256(HmacSha256(salted, "Client Key"));
  return std::string(kScheme) + std::to_string(kIterations) + ":" + Base64(salt) + "$" +
         Base64(stored_key) + ":" + Base64(HmacSha256(salted, "Server Key"));
}

bool Matches(const Verifier& verifier, std::string_view password) {
  const SecretBytes salted = SaltedPassword(password, verifier.salt, verifier.iterations);
  return SameSecret(Sha256(HmacSha256(salted, "Client Key")), verifier.stored_key);
}

Verifier MockVerifier(std::string_view name, std::string_view secret, const Verifier& alike) {
  const std::string seed = HmacSha256(secret, "salt of " + std::string(name));
  std::string salt;
  for (int block = 0; salt.size() < alike.salt.size(); ++block) {
    salt += HmacSha256(seed, std::to_string(block));
  }
  salt.resize(alike.salt.size());
  // Nobody knows what hashes to a random key.
  return {.iterations = alike.iterations,
          .salt = salt,
          .stored_key = RandomBytes(SHA256_DIGEST_LENGTH),
          .server_key = RandomBytes(SHA256_DIGEST_LENGTH)};
}

}  // namespace tacit::wire
