#include "ledger/chain/owner_key.h"

#include "base/secrets/digest.h"
#include "ledger/record/record.h"

namespace tacit::ledger {

OwnerKey::OwnerKey(std::string_view deployment_key) {
  if (deployment_key.empty()) return;
  constexpr size_t kIdDigits = 32;
  id_ = HmacSha256Hex(deployment_key, "tacit deployment id").substr(0, kIdDigits);
  answers_ = HmacSha256Hex(deployment_key, "tacit stored answers");
  heads_ = HmacSha256Hex(deployment_key, "tacit ledger heads");
  receipts_ = HmacSha256Hex(deployment_key, "tacit receipts");
}

std::string OwnerKey::AnswerHash(std::string_view record_hash, size_t ordinal,
                                 std::string_view bytes) const {
  const std::string plain = ReleaseHash(record_hash, ordinal, bytes);
  return answers_.empty() ? plain : HmacSha256Hex(answers_, plain);
}

std::string OwnerKey::ReceiptName(std::string_view analyst, int64_t sequence,
                                  std::string_view record_hash) const {
  constexpr size_t kNameDigits = 32;
  std::string text(record_hash);
  if (analyst.empty()) return std::to_string(sequence) + ":" + text;
  text.append("\n").append(analyst);
  return HmacSha256Hex(receipts_, text).substr(0, kNameDigits);
}

std::string OwnerKey::HeadHash(std::string_view text) const {
  return heads_.empty() ? Sha256Hex(text) : HmacSha256Hex(heads_, text);
}

}  // namespace tacit::ledger
