#pragma once

#include <string>

#include "base/result.h"

namespace tacit::owner {

// The invented clinic as data lakes keep such things: patients in four files, visits in a folder
// for each year, departments.parquet. Made of the CSV files in the folder, which are removed.
Result<Done> StoreClinicAsParquet(const std::string& folder);

}  // namespace tacit::owner
