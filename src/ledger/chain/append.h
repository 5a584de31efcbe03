#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/chain/checked_books.h"

// The only way into the ledger: posted records, chained to the last one, with every row that
// follows from them.

namespace tacit::ledger {

// Records that were posted (PostNext), and the books after them.
struct PostedRecords {
  std::vector<Record> records;
  Books books;
};

// What is appended, complete: the store decides nothing.
struct ChainedAddition {
  Addition rows;
  std::vector<Record> records;
  Books books;                // after them
  std::string book_rows;      // BytesOf them
  std::string book_hash;      // HashOf them
  std::string previous_hash;  // of the record before
  std::string head_hash;      // of the last one
};

// The last record, if it is one that seals, seals `unsealed`. kInvalidArgument for a record that is
// too long.
Result<ChainedAddition> ChainTo(const CheckedBooks& before, PostedRecords posted,
                                const std::vector<AnswerHash>& unsealed);

// Appends it in the caller's transaction, which has to be given up after an error; returns the
// books after it.
Result<CheckedBooks> Append(Chain& chain, ChainedAddition addition);

// A whole ledger: all records from the first on, and the books after them.
Result<Addition> AdditionOf(const std::vector<Record>& records, const Books& books);

// What a new ledger begins with, for whoever makes a place for it.
Result<Addition> FirstAddition(const OpenOptions& options);

}  // namespace tacit::ledger
