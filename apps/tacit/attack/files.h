#pragma once

#include "tacit/terminal/flags.h"

// The attacks on released files, one file <name>.cc each. They need no server.

namespace tacit::app {

void AddAttackUniqueness(Command attack);
void AddAttackLinkage(Command attack);
void AddAttackIntersection(Command attack);
void AddAttackDimension(Command attack);

}  // namespace tacit::app
