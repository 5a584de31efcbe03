#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "ledger/chain/owner_key.h"
#include "ledger/ledger.h"

// The last acknowledged record, kept outside the ledger's storage. SQLite answers a damaged or
// deleted write-ahead log by silently going back to an older state; a ledger that does so is older
// than its head file, and is refused. Written after each charge is durable and without waiting for
// the disk, so it is never ahead of the ledger and costs no fsync.

namespace tacit::ledger {

class HeadFile {
 public:
  static std::string PathOf(const std::string& ledger_path) { return ledger_path + "-head"; }

  // Makes the file, on stable storage, with mode 0600; an existing one is an error. `key` signs it.
  static Result<Done> Create(const std::string& path, const Head& head, const OwnerKey& key);
  // kUnavailable when it is missing, open to others, or has a second name.
  static Result<HeadFile> Open(const std::string& path);

  HeadFile(HeadFile&& other) noexcept;
  HeadFile& operator=(HeadFile&&) = delete;
  ~HeadFile();

  // kUnavailable when `key` did not sign it.
  Result<Head> Read(const OwnerKey& key) const;
  // Remembers `head` unless the file knows a later record already; fails where CheckPlace does.
  Result<Done> Advance(const Head& head, const OwnerKey& key) const;
  // The path still leads to this file: what is written to another one, nobody will read.
  Result<Done> CheckPlace() const;

 private:
  HeadFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::string path_;
};

}  // namespace tacit::ledger
