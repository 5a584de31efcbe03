#pragma once

#include "engine/duckdb/database/database.h"
#include "owner/import/reader.h"

namespace tacit::owner {

// What the values of a CSV file say about how they are written, where the owner has not said it:
// numbers with a decimal comma, dates, codes that begin with a zero. The reader then reads them so,
// and `notes` tells the owner. What can be read in two ways is refused with the flag that decides.
Result<Done> ReadValues(engine::duckdb::Connection& connection, const TableFile& source,
                        FileReader& reader, std::vector<std::string>& notes);

}  // namespace tacit::owner
