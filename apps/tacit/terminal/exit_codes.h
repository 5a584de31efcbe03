#pragma once

namespace tacit::app {

// The exit codes of the command line; scripts rely on them.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitWrongFlags = 2;   // or a bad policy
inline constexpr int kExitNotAccepted = 3;  // the query
inline constexpr int kExitBudgetExhausted = 4;
inline constexpr int kExitUnavailable = 5;  // the engine or the ledger

}  // namespace tacit::app
