#include "wire/http/api/own_records.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "accounting/zcdp.h"
#include "base/process/memory_reserve.h"
#include "ledger/of_policy.h"

namespace tacit::wire::http {
namespace {

using nlohmann::ordered_json;

ordered_json AmountOf(const ledger::Cost& cost, bool pure) {
  if (pure) return {{"epsilon", ToString(cost.epsilon)}, {"delta", ToString(cost.delta)}};
  return {{"rho", ToString(cost.rho)}, {"delta", ToString(cost.delta)}};
}

std::string Written(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string Dumped(const ordered_json& json) { return Written(json) + "\n"; }

// What waits to be sent of a long list.
constexpr size_t kPieceBytes = size_t{64} * 1024;

ordered_json ChargeJson(const ChargeLine& charge, bool pure) {
  return {{"sequence", charge.sequence},
          {"time", charge.time},
          {"cost", AmountOf(charge.cost, pure)},
          {"query", charge.query_fingerprint},
          {"policy_version", charge.policy_version},
          {"data_version", charge.data_version},
          {"releases", charge.releases},
          {"receipt", charge.receipt},
          {"question", charge.question}};
}

ordered_json ColumnsOf(const policy::Table& table, const policy::SchemaTable& stored) {
  ordered_json columns = ordered_json::array();
  for (const policy::SchemaColumn& column : stored.columns) {
    if (table.IsHidden(column.name) || policy::FoldedName(column.name).starts_with("tacit_")) {
      continue;
    }
    ordered_json shown = {{"name", column.name}, {"type", PostgresName(column.type)}};
    const policy::Column* declared = table.Find(column.name);
    if (declared != nullptr && declared->bounds) {
      shown["bounds"] = {ToString(declared->bounds->low), ToString(declared->bounds->high)};
    }
    shown["public_keys"] = table.is_public || (declared != nullptr && declared->keys.has_value());
    columns.push_back(std::move(shown));
  }
  return columns;
}

}  // namespace

Result<std::string> BudgetJson(LiveDeployment& deployment, const std::string& analyst) {
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  const TermsInForce terms = deployment.terms();
  TACIT_TRY(const AccountLine account, AccountOf(analyst, deployment, *terms));
  const bool pure = account.accounting == ledger::Accounting::kPure;
  ordered_json shown = {
      {"scope", "analyst"},
      {"left", AmountOf(account.left, pure)},
      {"spent", AmountOf(account.spent, pure)},
      {"budget",
       {{"epsilon", ToString(account.budget.epsilon)}, {"delta", ToString(account.budget.delta)}}}};
  if (!pure) {  // what the rho left would buy by itself
    const Delta half(Rational(account.budget.delta / 2));
    const double epsilon = accounting::ZcdpEpsilonDown(Rho(account.left.rho), half);
    shown["left_as"] = {{"epsilon", ToString(RationalOf(epsilon))},
                        {"delta", ToString(half.value)}};
  }
  return Dumped({{"analyst", analyst},
                 {"accounting", pure ? "pure" : "zcdp"},
                 {"accounts", ordered_json::array({std::move(shown)})}});
}

Result<Pieces> LedgerJson(LiveDeployment& deployment, const std::string& analyst) {
  TACIT_TRY(std::vector<ChargeLine> charges, ChargesOf(analyst, deployment));
  const bool pure = ledger::AccountingOf(deployment.terms()->policy) == ledger::Accounting::kPure;
  return LedgerPieces(analyst, std::move(charges), pure);
}

Pieces LedgerPieces(const std::string& analyst, std::vector<ChargeLine> charges, bool pure) {
  const auto lines = std::make_shared<const std::vector<ChargeLine>>(std::move(charges));
  return [analyst, lines, pure, next = size_t{0}](std::string& piece) mutable {
    const MustHaveMemory must;  // a JSON tree allocates in its destructor
    if (next == 0) piece += "{\"analyst\":" + Written(analyst) + ",\"charges\":[";
    for (; next < lines->size() && piece.size() < kPieceBytes; ++next) {
      if (next > 0) piece += ',';
      piece += Written(ChargeJson((*lines)[next], pure));
    }
    if (next < lines->size()) return true;
    piece += "]}\n";
    return false;
  };
}

std::string TablesJson(const Terms& terms) {
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  ordered_json list = ordered_json::array();
  for (const policy::Table& table : terms.policy.tables) {
    const policy::SchemaTable* stored = terms.schema.Find(table.name);
    if (stored == nullptr) continue;
    ordered_json shown = {{"name", table.name}, {"public", table.is_public}};
    if (!table.is_public) shown["rows_per_unit"] = table.rows_per_unit;
    shown["columns"] = ColumnsOf(table, *stored);
    list.push_back(std::move(shown));
  }
  return Dumped({{"tables", list}});
}

}  // namespace tacit::wire::http
