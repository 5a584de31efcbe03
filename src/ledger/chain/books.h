#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/record/record.h"

// The books: what all records so far add up to. Every record carries the hash of the books after
// it, so a charge that has checked the last record knows that the totals it reads are the chain's.

namespace tacit::ledger {

struct BookEntry {
  Cost spent;
  std::optional<Budget> budget;  // the last one recorded
  std::optional<Cost> capacity;  // and what it comes to
  int64_t charges = 0;
  friend bool operator==(const BookEntry&, const BookEntry&) = default;
};

struct Books {
  int64_t sequence = 0;  // of the last record
  Declarations declarations;
  // Whose ledger it is, and since which record: answers to earlier ones have a plain hash.
  std::string deployment = {};
  int64_t bound_at = 0;
  // The record by which the owner took another key; 0: none. Answers to earlier ones are signed by
  // a key that is gone.
  int64_t rekeyed_at = 0;
  // The record by which it was made of exported ones; 0: none. Answers sealed before are not here.
  int64_t imported_at = 0;
  std::map<std::string, BookEntry> entries;  // by analyst; the dataset's name is empty
  friend bool operator==(const Books&, const Books&) = default;
};

std::string HashOf(const Books& books);

// Adds one record: the only code that turns records into totals, for charging and for verifying.
// The error says which rule of the ledger the record breaks.
Result<Done> Post(const Record& record, Books& books);

// Posts a new record, and gives it its place and the hash of the books after it.
Result<Done> PostNext(Record& record, Books& books);

// a + b, exact while the denominator stays below kDenominatorBitsMax; beyond, rounded up to a
// multiple of 10^-60. Without it an analyst could make the totals grow with every charge, by
// choosing prices with ever new denominators.
Rational AddUp(const Rational& a, const Rational& b);
Cost AddUp(const Cost& a, const Cost& b);
// The same bound for a single number.
Rational BoundedUp(const Rational& value);

inline constexpr size_t kDenominatorBitsMax = 256;

}  // namespace tacit::ledger
