#pragma once

#include "owner/progress.h"

namespace tacit::app {

// A bar on a terminal, in place; nothing elsewhere.
void DrawProgress(const std::string& table, double percent);

// A bar on a terminal, in place; nothing elsewhere, and nothing for what is done at once. From now
// on Ctrl-C and SIGTERM end the work that reports to it instead of the process.
owner::Progress ProgressOnTerminal();

}  // namespace tacit::app
