#include "gateway/workload/read_workload.h"

#include <set>

#include "sql/read/command.h"

namespace tacit::gateway::workload {
namespace {

Error NotInAWorkload(const sql::Command& command) {
  Error error{.code = ErrorCode::kUnsupported,
              .public_message = command.tag + " has no place in a workload",
              .hint = "write SELECTs, and SET tacit.error or SET tacit.epsilon before them",
              .position = command.offset,
              .private_detail = ""};
  return error;
}

// What SET says of the questions behind it.
Result<Done> Apply(const sql::SetCommand& set, const plan::Wish& base, plan::Wish& wish) {
  const bool is_error = set.name == "tacit.error";
  if (!set.value || set.value->empty()) {
    wish.epsilon = base.epsilon;
    wish.error = base.error;
    return Done{};
  }
  if (is_error) {
    TACIT_TRY(wish.error, plan::ReadErrorWish(*set.value));
    wish.epsilon.reset();
    return Done{};
  }
  TACIT_TRY(const Rational epsilon, ParseRational(*set.value));
  TACIT_TRY(wish.epsilon, CheckedEpsilon(epsilon, "tacit.epsilon"));
  wish.error.reset();
  return Done{};
}

}  // namespace

Result<std::vector<Request>> ReadWorkload(const std::string& text, const Request& base) {
  TACIT_TRY(const std::vector<sql::Command> commands,
            sql::ReadCommands(text, kWorkloadCommandsMax));
  std::vector<Request> questions;
  std::set<std::string> distinct;
  Request next = base;
  next.statement = nullptr;
  next.parameters.clear();
  for (const sql::Command& command : commands) {
    if (const auto* set = std::get_if<sql::SetCommand>(&command.kind)) {
      const bool known = set->name == "tacit.error" || set->name == "tacit.epsilon";
      if (!known) return NotInAWorkload(command);
      TACIT_CHECK(Apply(*set, base.wish, next.wish));
      continue;
    }
    if (!std::holds_alternative<sql::AskCommand>(command.kind)) return NotInAWorkload(command);
    // Without the line's end behind the last one.
    next.text = command.text.substr(0, command.text.find_last_not_of(" \t\r\n") + 1);
    distinct.insert(next.text);
    if (distinct.size() > kDistinctQuestionsMax) {
      return InvalidArgument("a workload has more than " + std::to_string(kDistinctQuestionsMax) +
                                 " different questions",
                             "buy them in two");
    }
    questions.push_back(next);
  }
  return questions;
}

}  // namespace tacit::gateway::workload
