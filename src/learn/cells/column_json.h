#pragma once

#include "learn/cells/cells.h"
#include "learn/model/json_parts.h"

// A column in public cells, as the files of models have it.
namespace tacit::learn {

Json JsonOfCells(const CellColumn& column);
// Any bytes may have been read.
Result<CellColumn> CellColumnIn(const Json& value);

}  // namespace tacit::learn
