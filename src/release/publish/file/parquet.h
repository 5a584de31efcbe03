#pragma once

#include "release/domain/domain.h"

namespace tacit::release {

// Turns a CSV file of made rows (ToCsv) into a Parquet file whose columns have the types of the
// table. kInvalidArgument for what cannot be written.
Result<Done> WriteParquet(const std::string& csv_path, const std::vector<Attribute>& attributes,
                          const std::string& path);

}  // namespace tacit::release
