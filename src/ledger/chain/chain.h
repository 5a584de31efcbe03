#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "ledger/chain/books.h"
#include "ledger/chain/owner_key.h"
#include "ledger/record/record.h"
#include "ledger/storage.h"

// The ledger as one connection to its store sees it: rows, believed as far as hashes vouch for
// them.
//
// The records are the truth. All other rows can be computed from them, except the stored answers'
// bytes; the books are checked against the last record whenever they are read.

namespace tacit::ledger {

// What a connection has read and checked before, beside the bytes it was read from. While the store
// holds the same bytes they need not be parsed and hashed again; nothing is believed that the store
// does not say now.
struct Recollection {
  struct Link {
    std::string previous_hash;
    std::string body;
    std::string hash;
    std::shared_ptr<const Record> record;
  };
  std::map<int64_t, Link> links;  // by sequence
  // The links that were compared with the store in this transaction, which sees one state of it.
  std::set<int64_t> compared;

  std::string book_rows;
  std::string book_hash;
  std::shared_ptr<const Books> books;

  // All three or none: totals beside the bytes of others would be believed.
  void Know(std::string rows, std::string hash, std::shared_ptr<const Books> made) noexcept {
    book_rows = std::move(rows);
    book_hash = std::move(hash);
    books = std::move(made);
  }
};

// Why 1024: the answers that are asked for again and again, in a few megabytes.
inline constexpr size_t kLinksMax = 1024;

// The books, and the record that they are the sum up to.
struct CheckedBooks {
  std::shared_ptr<const Books> books;
  std::string head_hash;  // of the last record
};

struct Chain {
  std::unique_ptr<StorageConnection> rows;
  OwnerKey key;
  Recollection known = {};
  // Committed, and verified record by record since this connection first saw the ledger
  // (follow.h); null: nothing yet.
  std::unique_ptr<const CheckedBooks> followed = {};

  static Result<std::unique_ptr<Chain>> Connect(Storage& storage, const OwnerKey& key);
};

// Whatever leaves before Commit, an exception too, is given up.
class Transaction {
 public:
  using Access = StorageConnection::Access;
  static Result<Transaction> Begin(Chain& chain, Access access);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<Done> Commit();

 private:
  explicit Transaction(Chain& chain) : chain_(&chain) {}
  Chain* chain_;
};

// What a reader says who finds something else than was written.
Error Damaged(std::string what);

struct ChainedRecord {
  std::shared_ptr<const Record> record;
  std::string hash;
};
// Reads, parses and checks that the hash fits its predecessor's.
Result<ChainedRecord> LoadRecord(Chain& chain, int64_t sequence);
Result<StoredRecord> LastRecord(Chain& chain);
Result<Done> CheckLastLinks(Chain& chain, int count);
// The ledger has the record that was acknowledged.
Result<Done> CheckHead(Chain& chain, const Head& head);

// For LoadRecord, once the store has taken it.
std::shared_ptr<const Record> Remember(Chain& chain, int64_t sequence, Recollection::Link link);

}  // namespace tacit::ledger
