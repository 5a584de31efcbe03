#pragma once

#include <functional>

#include "gateway/deployment/deployment.h"
#include "selection/scores.h"
#include "tacit/commands.h"

// What commands have in common that choose among the questions of a file.
namespace tacit::app {

struct SelectionFlags {
  std::string folder;
  std::string file;
  std::string epsilon;
  std::string analyst;
  bool explain = false;
  std::string format = "table";
};
void AddSelectionFlags(Command command, SelectionFlags& flags);

// Who asks and at which price, without a question.
Result<gateway::Request> AskerOf(const SelectionFlags& flags, const policy::Policy& policy);

// The file with the questions.
Result<std::string> ReadQuestionsOf(const SelectionFlags& flags);

// What the charge was, or would be.
std::string ChargeSentence(const selection::Scores& scores, const gateway::Request& asker,
                           const gateway::Services& services, const ledger::Receipt& receipt,
                           bool is_quote);

// A question's first line, as long as a terminal is wide.
std::string InShort(const std::string& question);

// A whole number of steps in the questions' own unit.
std::string InUnits(const Integer& steps, const selection::Scores& scores);

std::function<void(double)> ProgressOf(const char* doing);

}  // namespace tacit::app
