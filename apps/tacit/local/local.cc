#include "tacit/local/local.h"

#include <cstdio>

#include "tacit/commands.h"

namespace tacit::app {

void AddLocalCommand(Command app) {
  Command local = app.Subcommand(
      "local", "Collect answers without ever seeing them: devices add the noise themselves");
  local.NeedsSubcommand();
  local.Footer(
      "Examples:\n"
      "  tacit local plan --values 14 --people 50000 --epsilon 1\n"
      "  tacit local randomize --mechanism krr --epsilon 1 --values red,green,blue\n"
      "      < answers.csv > reports.csv\n"
      "  tacit local estimate reports.csv\n"
      "  tacit local verify\n"
      "  tacit local survey survey.yaml --http 127.0.0.1:8080");
  AddLocalPlan(local);
  AddLocalRandomize(local);
  AddLocalEstimate(local);
  AddLocalVerify(local);
  AddLocalSurvey(local);
}

}  // namespace tacit::app
