#pragma once

#include <string>
#include <vector>

#include "anonymize/anonymize.h"
#include "attack/linkage/sparse.h"
#include "owner/read_rows.h"
#include "policy/policy.h"

namespace tacit::attack {

// The owner's rows as a file with one row a person would show them.
struct PlainFile {
  anonymize::Table table = {};
  std::vector<std::string> known = {};     // quasi-identifiers
  std::string sensitive = {};              // not among them
  anonymize::ColumnRules rules = {};       // columns that are no numbers are categories
  std::vector<std::string> left_out = {};  // sentences
};

// The columns that a file for others would have: neither the unit's nor hidden ones, of types that
// have an order or a name. `known` empty: all of them but the sensitive one, at most
// kKnownColumnsMax. At most rows_max rows, drawn at random.
Result<PlainFile> PlainFileOf(const owner::ExactRows& rows, const policy::Table& table,
                              const std::string& sensitive, const std::vector<std::string>& known,
                              uint32_t rows_max, uint64_t seed);

// Why 8: the sets of up to four of them are 162, and a reader who knows more needs no attack.
inline constexpr size_t kKnownColumnsMax = 8;

// The rows of a table with several rows a person as items: the person's texts of a row and the
// months of its dates together are one item ("Surgery, 2024-12"). kInvalidArgument when the table
// has no such columns.
Result<SparseTable> PlainItemsOf(const owner::ExactRows& rows, const policy::Table& table,
                                 const std::string& person, std::string& item_shown);

}  // namespace tacit::attack
