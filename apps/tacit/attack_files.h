#pragma once

#include "flags.h"

// The attacks on released files, one file attack_<name>.cc each. They need no server.

namespace tacit::app {

void AddAttackUniqueness(Command attack);
void AddAttackLinkage(Command attack);
void AddAttackIntersection(Command attack);
void AddAttackDimension(Command attack);

}  // namespace tacit::app
