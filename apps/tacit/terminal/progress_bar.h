#pragma once

#include <string_view>

#include "attack/progress.h"
#include "owner/progress.h"

// A bar on stderr when that is a terminal, rewritten in place; nothing elsewhere.

namespace tacit::app {

// Percent below 0: unknown. At 100 the bar goes away.
void DrawProgress(std::string_view doing, double percent);
void ClearProgress();

// For what owners wait for. From now on Ctrl-C and SIGTERM end the work that reports to it instead
// of the process.
owner::Progress InterruptibleProgress();

// For attacks; rewritten at most ten times a second.
attack::Progress AttackProgress();

}  // namespace tacit::app
