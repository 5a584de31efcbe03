#pragma once

#include "engine/value.h"
#include "learn/cells/cell_model.h"
#include "plan/private_plan.h"

// What a model of cells answers as rows.
namespace tacit::gateway::learning {

std::vector<std::vector<engine::Value>> RowsOfCells(const learn::CellModel& model);

// What the people who were held out say of it: the same number of rows, whatever was released.
std::vector<std::vector<engine::Value>> RowsOfScore(const learn::CellModel& model);

// What is said beside them: the same whatever was released.
std::vector<std::string> NoticesOfCells(learn::CellTask task);

}  // namespace tacit::gateway::learning
