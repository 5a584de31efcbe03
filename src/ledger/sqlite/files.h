#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace tacit::ledger {

// The ledger's file as the operating system knows it: to notice that another file took its place.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// kUnavailable when the file is missing, not a plain file, of another user, open to others than its
// owner, or has a second name: SQLite would keep a second log under that, and both would be paid
// from. Never opens the file: closing it would drop the locks that SQLite holds for this process.
Result<FileIdentity> CheckFile(const std::string& path);

// Whether the file system of the ledger takes as much as a charge writes. Its own pages prove
// nothing there: a log that was longer once has room within.
Result<Done> CheckRoomBeside(const std::string& path);

}  // namespace tacit::ledger
