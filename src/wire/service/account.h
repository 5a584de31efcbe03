#pragma once

#include <string>
#include <vector>

#include "wire/service/house.h"

// What an analyst may know of the books: their own account, the dataset's, their own charges.

namespace tacit::wire {

struct AccountLine {
  std::string scope;  // "analyst" or "dataset"
  ledger::Accounting accounting = ledger::Accounting::kPure;
  ledger::Budget budget;
  ledger::Cost spent;
  ledger::Cost left;
  int64_t charges = 0;  // of the analyst, or of all together; nobody's are told apart
};
Result<std::vector<AccountLine>> AccountsOf(const std::string& analyst, House& house,
                                            const Terms& terms);

struct ChargeLine {
  int64_t sequence = 0;
  std::string time;
  ledger::Cost cost;  // what the analyst paid
  std::string query_fingerprint;
  std::string policy_version;
  int64_t data_version = 0;
  int64_t releases = 0;
  std::string receipt;
};
Result<std::vector<ChargeLine>> ChargesOf(const std::string& analyst, const House& house);

}  // namespace tacit::wire
