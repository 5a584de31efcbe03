#pragma once

#include <variant>

#include "learn/cells/cell_model.h"
#include "learn/centres/centre_model.h"
#include "learn/model/model.h"
#include "tacit/commands.h"

namespace tacit::app {

void AddLearnLinear(Command learn);
void AddLearnCells(Command learn);
void AddLearnKmeans(Command learn);
void AddLearnShow(Command learn);

using AnyModel = std::variant<learn::LinearModel, learn::CellModel, learn::CentreModel>;

// A model from its file; the error names the file.
Result<AnyModel> ModelFromFile(const std::string& path);

}  // namespace tacit::app
