#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "ledger/ledger.h"

// The last acknowledged record, kept outside the database. SQLite answers a damaged or deleted
// write-ahead log by silently going back to an older state; a ledger that does so is older than its
// head file, and is refused. Written after each charge is durable and without waiting for the disk,
// so it is never ahead of the ledger and costs no fsync.

namespace tacit::ledger {

class HeadFile {
 public:
  static std::string PathOf(const std::string& ledger_path) { return ledger_path + "-head"; }

  // Makes the file, on stable storage, with mode 0600; an existing one is an error.
  static Result<Done> Create(const std::string& path, const Head& head);
  static Result<HeadFile> Open(const std::string& path);

  HeadFile(HeadFile&& other) noexcept;
  HeadFile& operator=(HeadFile&&) = delete;
  ~HeadFile();

  Result<Head> Read() const;
  // Remembers `head` unless the file knows a later record already.
  Result<Done> Advance(const Head& head) const;

 private:
  explicit HeadFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace tacit::ledger
