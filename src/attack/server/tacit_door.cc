#include "attack/server/tacit_door.h"

#include <nlohmann/json.hpp>

#include "answer/format/format.h"
#include "gateway/answer_query.h"
#include "gateway/deployment/deployment.h"
#include "owner/rehearsal.h"

namespace tacit::attack {

struct TacitDoor::State {
  owner::Rehearsal rehearsal;  // outlives what is open in it
  std::unique_ptr<gateway::Deployment> deployment;
};

TacitDoor::TacitDoor(std::unique_ptr<State> state) : state_(std::move(state)) {}
TacitDoor::TacitDoor(TacitDoor&&) noexcept = default;
TacitDoor& TacitDoor::operator=(TacitDoor&&) noexcept = default;
TacitDoor::~TacitDoor() = default;

Result<TacitDoor> TacitDoor::Open(const policy::Policy& policy) {
  TACIT_TRY(owner::Rehearsal rehearsal, owner::Rehearsal::Make(policy));
  TACIT_TRY(std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::OpenWith(rehearsal.policy()));
  return TacitDoor(std::unique_ptr<State>(new State{std::move(rehearsal), std::move(deployment)}));
}

Result<nlohmann::json> TacitDoor::Ask(const std::string& sql,
                                      const std::optional<Epsilon>& epsilon) {
  gateway::Request request{.text = sql, .analyst = "", .request_id = "", .wish = {}};
  request.wish.epsilon = epsilon;
  gateway::Services services = state_->deployment->ForThisThread();
  TACIT_TRY(const answer::Answer answer, gateway::AnswerQuery(request, services));
  return nlohmann::json::parse(answer::FormatJson(answer));
}

}  // namespace tacit::attack
