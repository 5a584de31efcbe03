#pragma once

#include "engine/exact_groups.h"
#include "plan/private_plan.h"
#include "release/domain/source.h"
#include "release/measure/open_column.h"

namespace tacit::release {

// The one question that a release asks of the engine: how often each combination of cells occurs,
// over the table's rows within the policy's caps. The cells of several columns are packed into one
// number, so that a row takes little room.
struct CodedRows {
  plan::Release release;             // groups for a mechanism over all of them
  std::vector<size_t> keys_of;       // which key each attribute is packed into
  std::vector<int64_t> multipliers;  // its code's weight there
  Moved moved;                       // by one step between neighbours
  std::string fingerprint;           // of what is asked, caps and cells included
};
Result<CodedRows> CodedRowsOf(const policy::Policy& policy, const policy::Schema& schema,
                              const Source& source, const std::vector<Attribute>& attributes);

// What the engine found, unpacked. Rows with a value that is not listed are left out; open columns
// have no codes yet.
struct ExactTable {
  Joint joint;
  std::vector<OpenColumn> open;
};
ExactTable JointOf(const engine::ExactGroups& groups, const CodedRows& coded,
                   const std::vector<Attribute>& attributes);

}  // namespace tacit::release
