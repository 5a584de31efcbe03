#pragma once

#include "wire/pg/prepared/portals.h"
#include "wire/pg/prepared/statements.h"
#include "wire/pg/state/settings/settings.h"
#include "wire/pg/state/transaction.h"

namespace tacit::wire::pg {

// What a session remembers between two messages.
struct SessionState {
  Settings settings;
  Transaction transaction;
  Statements statements;
  Portals portals;
  std::shared_ptr<const catalog::LastAnswer> last = nullptr;  // what tacit.last shows
  int64_t answers = 0;                                        // about people, so far
};

}  // namespace tacit::wire::pg
