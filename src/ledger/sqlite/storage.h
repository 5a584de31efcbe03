#pragma once

#include <memory>
#include <string>

#include "ledger/chain/head_files.h"
#include "ledger/sqlite/files.h"
#include "ledger/storage.h"

// A ledger in one SQLite file in write-ahead mode, with its head file beside it. Several programs
// may have it open.

namespace tacit::ledger {

class SqliteStorage final : public Storage {
 public:
  enum class Sharing {
    kShared,
    kReadOnly,
    kAlone,  // nobody else may have it open, and nobody can open it until the connection is closed
  };
  struct Options {
    Sharing sharing = Sharing::kShared;
    std::string vfs = {};  // empty: the default one
    int busy_timeout_ms = 10000;
    std::string witness = {};  // a second head file, elsewhere; empty: none
  };

  // A new file of mode 0600 that holds `first`, with its head. Refuses when one, or the head of
  // one, is there.
  static Result<Done> Create(const std::string& path, const std::string& vfs, const Addition& first,
                             const OwnerKey& key);
  // kUnavailable when it is missing or not guarded (files.h).
  static Result<std::unique_ptr<Storage>> Open(const std::string& path, const Options& options);

  Result<std::unique_ptr<StorageConnection>> Connect() override;
  Result<Done> CheckPlace() override;
  Result<Done> CheckRoom() override { return CheckRoomBeside(path_); }
  Result<Head> RecallHead(const OwnerKey& signed_by) override { return heads_.Recall(signed_by); }
  Result<Done> RememberHead(const Head& head, const OwnerKey& key) override {
    return heads_.Remember(head, key);
  }
  Result<Done> ReplaceHead(const Head& head, const OwnerKey& key) override {
    return heads_.Replace(head, key);
  }

 private:
  SqliteStorage(std::string path, Options options, FileIdentity identity)
      : path_(std::move(path)),
        options_(std::move(options)),
        identity_(identity),
        heads_(HeadFile::PathOf(path_), options_.witness) {}

  std::string path_;
  Options options_;
  FileIdentity identity_;
  HeadFiles heads_;
};

}  // namespace tacit::ledger
