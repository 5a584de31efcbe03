#pragma once

#include <optional>
#include <string>

#include "ledger/chain/head_file.h"

// The head file beside a ledger, and the witness elsewhere, if the owner wants one: what a store
// remembers apart from its rows.

namespace tacit::ledger {

class HeadFiles {
 public:
  // `witness`: empty, none.
  HeadFiles(std::string path, std::string witness)
      : path_(std::move(path)), witness_path_(std::move(witness)) {}

  Result<Done> CheckPlace() const;
  // Of the two the later: what was put back is older than one of them.
  Result<Head> Recall(const OwnerKey& signed_by);
  Result<Done> Remember(const Head& head, const OwnerKey& key);
  Result<Done> Replace(const Head& head, const OwnerKey& key);

 private:
  Result<Done> Open();

  std::string path_;
  std::string witness_path_;
  // Opened when they are first asked for.
  std::optional<HeadFile> file_;
  std::optional<HeadFile> witness_;
};

}  // namespace tacit::ledger
