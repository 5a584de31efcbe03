#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "ledger/books.h"
#include "ledger/record.h"

namespace tacit::ledger {

// What a connection has read and checked before, beside the bytes it was read from. While the file
// holds the same bytes they need not be parsed and hashed again; nothing is believed that the file
// does not say now.
struct Recollection {
  struct Link {
    std::string previous_hash;
    std::string body;
    std::string hash;
    std::shared_ptr<const Record> record;
  };
  std::map<int64_t, Link> links;  // by sequence
  // The links that were compared with the file in this transaction, which sees one state of it.
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

}  // namespace tacit::ledger
