#include "ledger/decide/declarations.h"

namespace tacit::ledger {
namespace {

Error Contradicts(std::string message) {
  return Error{.code = ErrorCode::kRefused,
               .public_message = std::move(message),
               .hint =
                   "unit, neighbours, protects and accounting cannot change after the first "
                   "charge: put the policy back as it was",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

Result<std::optional<Declarations>> NewDeclarations(const Declarations& asked,
                                                    const std::vector<std::string>& public_tables,
                                                    const Declarations& fixed) {
  if (!fixed.terms.empty() && asked.terms != fixed.terms) {
    return Contradicts("the policy says '" + asked.terms + "', but charges were made under '" +
                       fixed.terms + "'");
  }
  for (const std::string& table : public_tables) {
    const auto known = fixed.units.find(table);
    if (known == fixed.units.end()) continue;
    return Contradicts("the policy makes table '" + table +
                       "' public, but charges were made while it was protected, with the unit '" +
                       known->second + "'");
  }
  Declarations added{.terms = asked.terms, .units = {}};
  for (const auto& [table, unit] : asked.units) {
    const auto known = fixed.units.find(table);
    if (known == fixed.units.end()) {
      added.units[table] = unit;
    } else if (known->second != unit) {
      return Contradicts("the policy gives table '" + table + "' the unit '" + unit +
                         "', but charges were made under the unit '" + known->second + "'");
    }
  }
  if (fixed.terms == asked.terms && added.units.empty()) return std::optional<Declarations>();
  return std::optional(std::move(added));
}

}  // namespace tacit::ledger
