#include "attack/server/tacit_in_process.h"

#include <nlohmann/json.hpp>

#include "answer/format/format.h"
#include "gateway/answer_query.h"
#include "gateway/deployment/deployment.h"
#include "owner/rehearsal.h"

namespace tacit::attack {

struct TacitInProcess::State {
  owner::Rehearsal rehearsal;  // outlives what is open in it
  std::unique_ptr<gateway::Deployment> deployment;
};

TacitInProcess::TacitInProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
TacitInProcess::TacitInProcess(TacitInProcess&&) noexcept = default;
TacitInProcess& TacitInProcess::operator=(TacitInProcess&&) noexcept = default;
TacitInProcess::~TacitInProcess() = default;

Result<TacitInProcess> TacitInProcess::Open(const policy::Policy& policy) {
  TACIT_TRY(owner::Rehearsal rehearsal, owner::Rehearsal::Make(policy));
  TACIT_TRY(std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::OpenWith(rehearsal.policy()));
  return TacitInProcess(
      std::unique_ptr<State>(new State{std::move(rehearsal), std::move(deployment)}));
}

Result<nlohmann::json> TacitInProcess::Ask(const std::string& sql,
                                           const std::optional<Epsilon>& epsilon) {
  gateway::Request request{.text = sql, .analyst = "", .request_id = "", .wish = {}};
  request.wish.epsilon = epsilon;
  gateway::Services services = state_->deployment->ForThisThread();
  TACIT_TRY(const answer::Answer answer, gateway::AnswerQuery(request, services));
  return nlohmann::json::parse(answer::FormatJson(answer));
}

}  // namespace tacit::attack
