#pragma once

#include "learn/model/model.h"
#include "tacit/commands.h"

namespace tacit::app {

void AddLearnLinear(Command learn);
void AddLearnShow(Command learn);

// A model from its file; the error names the file.
Result<learn::LinearModel> ModelFromFile(const std::string& path);

}  // namespace tacit::app
