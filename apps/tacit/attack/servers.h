#pragma once

#include "attack/scene/scene.h"
#include "tacit/attack/attack.h"

namespace tacit::app {

// The flags of every attack that asks a server.
struct ServerFlags {
  AttackFlags common;
  std::string folder;  // empty: invented people
  std::string servers;
  std::string epsilon;
  attack::SceneSettings scene;
};
// Returns DIR, for whoever has to require it.
Flag AddServerFlags(Command command, ServerFlags& flags);

// The owner's people, or `invented` of them.
Result<attack::Scene> SceneOf(const ServerFlags& flags, uint32_t invented);

}  // namespace tacit::app
