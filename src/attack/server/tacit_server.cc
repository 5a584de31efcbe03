#include "attack/server/tacit_server.h"

#include <nlohmann/json.hpp>

#include "attack/server/tacit_in_process.h"

namespace tacit::attack {
namespace {

class TacitServer final : public Server {
 public:
  TacitServer(TacitInProcess gateway, bool zcdp, const TacitSettings& settings,
              const People& people)
      : gateway_(std::move(gateway)), settings_(settings), people_(people) {
    spent_.zcdp = zcdp;
  }

  Result<Reply> Ask(const Question& question) override {
    const Result<nlohmann::json> seen = gateway_.Ask(SqlOf(question, people_), settings_.epsilon);
    if (!seen.ok()) {
      // A rule of the policy, such as a price above the highest, ends the attack as it ends a
      // query.
      if (seen.error().code != ErrorCode::kBudgetExhausted) return seen.error();
      return Reply{std::nullopt, seen.error().public_message};
    }
    const nlohmann::json& price = seen->at("privacy");
    spent_.epsilon += price.at("epsilon").get<double>();
    spent_.delta += price.at("delta").get<double>();
    spent_.rho += price.value("rho", 0.0);
    return Reply{seen->at("rows").at(0).at(0).get<double>(), ""};
  }

  std::string name() const override { return "Tacit with its ledger"; }
  bool IsTacit() const override { return true; }
  std::optional<Spent> spent() const override {
    Spent up = spent_;  // each price and each sum was rounded to nearest
    up.epsilon *= 1 + 0x1p-40;
    up.delta *= 1 + 0x1p-40;
    up.rho *= 1 + 0x1p-40;
    return up;
  }

 private:
  TacitInProcess gateway_;
  TacitSettings settings_;
  const People& people_;
  Spent spent_;
};

}  // namespace

Result<std::unique_ptr<Server>> MakeTacitServer(const policy::Policy& policy,
                                                const TacitSettings& settings,
                                                const People& people) {
  TACIT_TRY(TacitInProcess gateway, TacitInProcess::Open(policy));
  const bool zcdp = policy.privacy.accounting == policy::Accounting::kZcdp;
  return std::unique_ptr<Server>(
      std::make_unique<TacitServer>(std::move(gateway), zcdp, settings, people));
}

}  // namespace tacit::attack
