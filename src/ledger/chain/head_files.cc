#include "ledger/chain/head_files.h"

#include <unistd.h>

namespace tacit::ledger {

Result<Done> HeadFiles::CheckPlace() const {
  if (file_) TACIT_CHECK(file_->CheckPlace());
  if (witness_) TACIT_CHECK(witness_->CheckPlace());
  return Done{};
}

Result<Done> HeadFiles::Open() {
  if (!file_) {
    TACIT_TRY(HeadFile opened, HeadFile::Open(path_));
    file_.emplace(std::move(opened));
  }
  if (witness_path_.empty() || witness_) return Done{};
  Result<HeadFile> opened = HeadFile::Open(witness_path_);
  if (!opened.ok()) {
    Error error = std::move(opened).error();
    error.public_message = "the ledger's witness is not there: " + error.public_message;
    error.hint =
        "put it back; if it was never made, look at the ledger, then have it made, on record: "
        "tacit "
        "ledger accept DIR --reason 'a witness from now on'";
    return error;
  }
  witness_.emplace(std::move(opened).value());
  return Done{};
}

Result<Head> HeadFiles::Recall(const OwnerKey& signed_by) {
  TACIT_CHECK(Open());
  TACIT_TRY(Head head, file_->Read(signed_by));
  if (!witness_) return head;
  TACIT_TRY(const Head elsewhere, witness_->Read(signed_by));
  return elsewhere.records > head.records ? elsewhere : head;
}

Result<Done> HeadFiles::Remember(const Head& head, const OwnerKey& key) {
  TACIT_ASSERT(file_.has_value());  // nobody charges who has not compared it
  TACIT_CHECK(file_->Advance(head, key));
  return witness_ ? witness_->Advance(head, key) : Done{};
}

Result<Done> HeadFiles::Replace(const Head& head, const OwnerKey& key) {
  file_.reset();
  witness_.reset();
  unlink(path_.c_str());
  TACIT_CHECK(HeadFile::Create(path_, head, key));
  if (witness_path_.empty()) return Done{};
  unlink(witness_path_.c_str());
  return HeadFile::Create(witness_path_, head, key);
}

}  // namespace tacit::ledger
