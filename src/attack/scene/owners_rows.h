#pragma once

#include <memory>
#include <string>

#include "owner/read_rows.h"
#include "policy/policy.h"

namespace tacit::attack {

// One table of a deployment with its rows, for attacks on what is published of it.
struct OwnedTable {
  policy::Policy policy;
  owner::ExactRows rows;
  std::string name;    // of the table, found in the policy
  std::string source;  // for reports

  const policy::Table& table() const { return *policy.Find(name); }
};

// `table` empty: the first with one row a person (scene/owners_people.h).
Result<OwnedTable> ReadOwnedTable(const std::string& path, const std::string& table);

// The column of `secret` (COLUMN=VALUE); empty: of the first that could be one.
Result<std::string> SecretColumnOf(const OwnedTable& owned, const std::string& secret);

// One row of the table is one person.
bool HasOneRowEach(const policy::Table& table);

}  // namespace tacit::attack
