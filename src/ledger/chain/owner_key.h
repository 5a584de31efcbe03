#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacit::ledger {

// The deployment's key as the ledger uses it: it names the deployment, and it signs what the chain
// alone cannot vouch for. Whoever may write the files but not read the key can neither put another
// deployment's ledger, head or answers here nor invent some.
class OwnerKey {
 public:
  OwnerKey() = default;  // none: a ledger that belongs to no deployment
  explicit OwnerKey(std::string_view deployment_key);

  bool empty() const { return id_.empty(); }
  // Names the deployment and tells nothing of its key: 32 hexadecimal digits.
  const std::string& deployment_id() const { return id_; }

  // Binds a stored answer to the record that paid for it. Without a key, its plain hash.
  std::string AnswerHash(std::string_view record_hash, size_t ordinal,
                         std::string_view bytes) const;
  // What the asker is told of the record that was charged: the owner (no name) its place and hash,
  // an analyst 32 digits that say nothing of the place, which tells how much others have asked.
  std::string ReceiptName(std::string_view analyst, int64_t sequence,
                          std::string_view record_hash) const;
  // Of the head file's text.
  std::string HeadHash(std::string_view text) const;

 private:
  std::string id_;
  std::string answers_;
  std::string heads_;
  std::string receipts_;
};

}  // namespace tacit::ledger
