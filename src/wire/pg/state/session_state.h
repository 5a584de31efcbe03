#pragma once

#include "wire/pg/prepared/portals.h"
#include "wire/pg/prepared/statements.h"
#include "wire/pg/state/settings.h"
#include "wire/pg/state/transaction.h"

namespace tacit::wire::pg {

// What a session remembers between two messages.
struct SessionState {
  Settings settings;
  Transaction transaction;
  Statements statements;
  Portals portals;
};

}  // namespace tacit::wire::pg
