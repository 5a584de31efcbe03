#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "anonymize/partition/classes.h"
#include "anonymize/partition/constraint.h"
#include "anonymize/partition/domain.h"
#include "anonymize/release/measure.h"
#include "anonymize/table/table.h"
#include "base/result.h"

// k-anonymity, l-diversity and t-closeness: the baseline. It says what a table gives away to a
// reader who knows the quasi-identifiers and nothing else; two releases, or a reader who knows
// more, break it (src/attack/intersection).

namespace tacit::anonymize {

// How columns are to be read.
struct ColumnRules {
  std::map<std::string, std::string> hierarchies = {};  // column -> file
  std::set<std::string> categories = {};                // columns whose numbers are names
  std::set<std::string> missing = {""};  // cells of number columns that hold no number
};

enum class Method {
  kMondrian,  // coarsen cells
  kRedact,    // leave whole columns out
};

struct Request {
  std::vector<std::string> quasi_identifiers;
  std::string sensitive = {};          // empty: none
  std::vector<std::string> keep = {};  // released as they are
  Requirement requirement = {};        // its distance is chosen by the sensitive column's kind
  Method method = Method::kMondrian;
  ColumnRules rules = {};
};

enum class Role { kQuasiIdentifier, kSensitive, kKept, kRedacted };

// A table made coarse. Columns that the request does not name are redacted: every cell is *.
struct Release {
  std::vector<Role> roles;      // by column of the table
  std::vector<size_t> columns;  // of the quasi-identifiers, as the request lists them
  std::vector<Domain> domains;  // of the quasi-identifiers
  Classes classes;
  Measures measures;
};

Result<Release> Anonymize(const Table& table, const Request& request);

// Writes headings and rows, whole or not at all. Rows come class by class and sorted inside a
// class: the order of the original, which would link rows again, is gone.
Result<Done> WriteRelease(const Table& table, const Release& release, const std::string& path);

// The domains of columns, in the order named. The error says what is missing or mixed.
Result<std::vector<Domain>> MakeDomains(const Table& table, const std::vector<std::string>& names,
                                        const ColumnRules& rules);

// A sensitive column with its order where it is one of numbers; mixed columns are categories.
Result<Domain> MakeSensitiveDomain(const Table& table, const std::string& name,
                                   const ColumnRules& rules);
inline Distance DistanceFor(const Domain& sensitive) {
  return sensitive.kind == Kind::kNumber ? Distance::kOrdered : Distance::kEqual;
}

// 0, 1, 2, ...: all rows of a table.
std::vector<uint32_t> AllRows(const Table& table);

}  // namespace tacit::anonymize
