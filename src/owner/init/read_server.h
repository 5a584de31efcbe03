#pragma once

#include "owner/init.h"
#include "policy/schema.h"

namespace tacit::owner {

// Names and types of the tables that a server holds, and notes on those that cannot be asked about.
// A table that is named and cannot be is kInvalidArgument.
Result<policy::Schema> ReadServer(const ServerTables& server, const std::vector<UnitColumn>& units,
                                  std::vector<std::string>& notes);

}  // namespace tacit::owner
