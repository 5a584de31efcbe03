#include "ledger/owner_key.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>

#include "base/no_memory.h"
#include "ledger/record.h"

namespace tacit::ledger {

std::string KeyedHash(std::string_view key, std::string_view text) {
  // Fetched once, as for Sha256: a replay waits for it.
  static EVP_MAC* const hmac = [] {
    EVP_MAC* const fetched = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    OrNoMemory(fetched != nullptr);
    return fetched;
  }();
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(EVP_MAC_CTX_new(hmac),
                                                                          EVP_MAC_CTX_free);
  char digest_name[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
      OSSL_PARAM_construct_end()};
  unsigned char digest[32];
  size_t length = 0;
  OrNoMemory(context != nullptr &&
             EVP_MAC_init(context.get(), reinterpret_cast<const unsigned char*>(key.data()),
                          key.size(), parameters) == 1 &&
             EVP_MAC_update(context.get(), reinterpret_cast<const unsigned char*>(text.data()),
                            text.size()) == 1 &&
             EVP_MAC_final(context.get(), digest, &length, sizeof digest) == 1);
  return HexOf({reinterpret_cast<const char*>(digest), length});
}

OwnerKey::OwnerKey(std::string_view deployment_key) {
  if (deployment_key.empty()) return;
  constexpr size_t kIdDigits = 32;
  id_ = KeyedHash(deployment_key, "tacit deployment id").substr(0, kIdDigits);
  answers_ = KeyedHash(deployment_key, "tacit stored answers");
  heads_ = KeyedHash(deployment_key, "tacit ledger heads");
  receipts_ = KeyedHash(deployment_key, "tacit receipts");
}

std::string OwnerKey::AnswerHash(std::string_view record_hash, size_t ordinal,
                                 std::string_view bytes) const {
  const std::string plain = ReleaseHash(record_hash, ordinal, bytes);
  return answers_.empty() ? plain : KeyedHash(answers_, plain);
}

std::string OwnerKey::ReceiptName(std::string_view analyst, int64_t sequence,
                                  std::string_view record_hash) const {
  constexpr size_t kNameDigits = 32;
  std::string text(record_hash);
  if (analyst.empty()) return std::to_string(sequence) + ":" + text;
  text.append("\n").append(analyst);
  return KeyedHash(receipts_, text).substr(0, kNameDigits);
}

std::string OwnerKey::HeadHash(std::string_view text) const {
  return heads_.empty() ? Sha256(text) : KeyedHash(heads_, text);
}

}  // namespace tacit::ledger
