#pragma once

#include <sys/stat.h>

#include <string>

#include "base/result.h"

namespace tacit {

// A file or folder that privacy rests on, and what other users may do with it. Whoever may write
// any of them decides what is answered; whoever may read the secret ones needs no answer.
struct FileGuard {
  std::string name;  // "the ledger", as messages call it
  std::string path;
  bool others_may_read = false;
  // One that is kept by its path alone must not be reached by another: SQLite, for one, finds the
  // log of a database by its name, so that a second name has a second log.
  bool has_one_name = false;
};

// kUnavailable, with a command that mends it, unless the file belongs to the user who runs this
// program or to root, and nobody else may do more than the guard allows.
Result<Done> CheckGuard(const FileGuard& guard, const struct stat& status);

// The same for what is at the path now; what is missing passes.
Result<Done> CheckGuard(const FileGuard& guard);

}  // namespace tacit
