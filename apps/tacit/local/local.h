#pragma once

#include "tacit/terminal/flags.h"

// The subcommands of `tacit local`, one file each.

namespace tacit::app {

void AddLocalPlan(Command local);
void AddLocalRandomize(Command local);
void AddLocalEstimate(Command local);
void AddLocalVerify(Command local);
void AddLocalSurvey(Command local);

}  // namespace tacit::app
