#include <cstdio>

#include "commands.h"

int main(int argc, char** argv) {
  int exit_code = tacit::app::kExitDone;
  CLI::App app{"Tacit answers SQL about a population without giving away anyone in it."};
  app.name("tacit");
  app.set_version_flag("--version", "tacit " TACIT_VERSION);
  app.require_subcommand(1);
  tacit::app::AddInitCommand(app, exit_code);
  tacit::app::AddPrepareCommand(app, exit_code);
  tacit::app::AddCheckCommand(app, exit_code);
  tacit::app::AddQueryCommand(app, exit_code);
  tacit::app::AddExplainCommand(app, exit_code);
  tacit::app::AddServeCommand(app, exit_code);
  tacit::app::AddPasswordCommand(app, exit_code);
  tacit::app::AddBudgetCommand(app, exit_code);
  tacit::app::AddLedgerCommand(app, exit_code);
  tacit::app::AddAccountCommand(app, exit_code);
  tacit::app::AddNoiseCommand(app, exit_code);
  tacit::app::AddDemoCommand(app, exit_code);
  tacit::app::AddLocalCommand(app, exit_code);
  tacit::app::AddAnonymizeCommand(app, exit_code);
  tacit::app::AddAttackCommand(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has an exit code of its own for every mistake; ours promise one.
    return app.exit(error) == 0 ? tacit::app::kExitDone : tacit::app::kExitWrongFlags;
  }
  return exit_code;
}
