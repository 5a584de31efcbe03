#pragma once

#include "owner/data/change.h"
#include "policy/schema.h"

namespace tacit::owner {

// Makes a database at `fresh` of the one at `data_path`: what stays is copied, with its indexes and
// constraints, everything else is left out or read from files. Nothing is deleted inside a file, in
// whose free blocks it would still be. The notes are for the owner.
Result<std::vector<std::string>> RebuildDatabase(const policy::Policy& policy,
                                                 const std::string& data_path,
                                                 const std::string& fresh,
                                                 const ChangeRequest& request);

// What is true of the rows of a table that belong to these people, in the session's words; empty
// when the table has none of anybody.
std::string RowsOfPeople(const policy::Policy& policy, const policy::Table& table,
                         const std::vector<std::string>& people);

}  // namespace tacit::owner
