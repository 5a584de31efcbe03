#include "command_local.h"

#include <cstdio>

#include "commands.h"

namespace tacit::app {

void AddLocalCommand(CLI::App& app, int& exit_code) {
  CLI::App* local = app.add_subcommand(
      "local", "Collect answers without ever seeing them: devices add the noise themselves");
  local->require_subcommand(1);
  local->footer(
      "Examples:\n"
      "  tacit local plan --values 14 --people 50000 --epsilon 1\n"
      "  tacit local randomize --mechanism krr --epsilon 1 --values red,green,blue\n"
      "      < answers.csv > reports.csv\n"
      "  tacit local estimate reports.csv\n"
      "  tacit local verify\n"
      "  tacit local survey survey.yaml --http 127.0.0.1:8080");
  AddLocalPlan(*local, exit_code);
  AddLocalRandomize(*local, exit_code);
  AddLocalEstimate(*local, exit_code);
  AddLocalVerify(*local, exit_code);
  AddLocalSurvey(*local, exit_code);
}

}  // namespace tacit::app
