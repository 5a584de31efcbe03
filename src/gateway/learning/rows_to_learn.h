#pragma once

#include "gateway/services.h"
#include "learn/moments.h"
#include "sql/tree.h"

namespace tacit::gateway::learning {

// The rows that something is learned from, and all that is public of them.
struct RowsToLearn {
  std::string text;  // of the SELECT, in one spelling
  std::vector<plan::OutputColumn> shape;
  // More than one: a person may have several rows.
  Integer rows_per_person = 1;
};

// Why 30: far more than fit. One question has 32 aggregates over the same rows, which six columns
// of numbers nearly fill, and analysis refuses what is beyond.
inline constexpr size_t kMomentColumnsMax = 30;

// Reads the SELECT. The error has no place in the text: it is a text inside a text.
Result<RowsToLearn> ReadRows(const std::string& select, const Services& services);

// The column of this name, spelled so or else in another case.
Result<size_t> ColumnNamed(const std::string& name, const RowsToLearn& rows);

// The columns to learn from, with their public ranges: numbers and booleans as they are, and for a
// text a boolean for each of its listed values but the first, which `rows.text` then gives. Refused
// where a range or a list is not declared, with what to declare. Asks neither the ledger nor the
// engine.
Result<std::vector<learn::Column>> RangesOf(RowsToLearn& rows, const Request& request,
                                            const Services& services,
                                            size_t columns_max = kMomentColumnsMax);

// The values that a column of texts can have, as the owner listed them; two of them at least.
Result<std::vector<std::string>> ListOf(const std::string& column, const RowsToLearn& rows,
                                        const Request& request, const Services& services);

// Without its place, and with where it was found.
Error InTheRows(Error error);

}  // namespace tacit::gateway::learning
