#pragma once

#include "engine/duckdb/files/open_data.h"
#include "policy/schema.h"

namespace tacit::owner {

// What questions over files in place rest on: which files, and what they hold.
struct VerifiedFiles {
  engine::duckdb::DataSource source;  // with their identity
  policy::Schema schema;
};

// For a policy whose tables stand in files, before anything is asked of them. All files of a table
// have the same columns of the same types; every value of every row was read once, so that none is
// left on which a question could fail; and a column that names people, or that a foreign key leads
// to, is marked unique where no value stands twice. It is a fact about these files, is kept beside
// the policy (PATH-verified), and is looked for again when files or units are others.
//
// kInvalidArgument for what the owner has to mend; only its private part may quote rows.
Result<VerifiedFiles> VerifyFiles(const policy::Policy& policy);

}  // namespace tacit::owner
