#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "ledger/chain/chain.h"

// The books as they are stored: read, and checked against the last record.

namespace tacit::ledger {

Result<CheckedBooks> LoadBooks(Chain& chain);
// Without the check: for who compares them with all records.
Result<Books> ReadBooks(Chain& chain);

// The ledger is the one of the deployment whose key the chain has.
Result<Done> CheckOwner(Chain& chain);

// All the rows of these books, as ReadBooks will find them.
BookRows RowsOf(const Books& books);
// The ledger's bytes that these books were read from, or would be: equal ones mean equal books.
std::string BytesOf(int64_t sequence, const BookRows& rows);

}  // namespace tacit::ledger
