#pragma once

#include "tacit/commands.h"

namespace tacit::app {

// tacit synth report REAL SYNTH
void AddSynthReport(Command synth);

}  // namespace tacit::app
