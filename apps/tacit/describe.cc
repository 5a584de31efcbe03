#include "tacit/terminal/describe.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "owner/init/clinic.h"
#include "tacit/commands.h"
#include "tacit/version.h"

// tacit config example, tacit completion, tacit manual: what the program says about itself.

namespace tacit::app {
namespace {

int Print(const std::string& text) {
  const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return good && std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

// tacit-ledger-verify.1
Result<Done> WritePages(const CommandText& command, const std::string& folder) {
  std::string name = command.name;
  for (char& c : name) c = c == ' ' ? '-' : c;
  std::ofstream file(std::filesystem::path(folder) / (name + ".1"));
  file << ManPage(command, ShortVersion());
  if (!file.flush()) return InvalidArgument("cannot write to the folder " + folder);
  for (const CommandText& part : command.subcommands) TACIT_CHECK(WritePages(part, folder));
  return Done{};
}

}  // namespace

void AddConfigCommand(Command app) {
  Command config = app.Subcommand("config", "a policy to learn from");
  config.NeedsSubcommand();
  config.Subcommand("example", "print a policy with comments, that of the sample clinic")
      .Action([] { return Print(owner::ClinicPolicy()); });
}

void AddCompletionCommand(Command app, const CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  Command command = app.Subcommand("completion", "print what completes commands in a shell");
  command.Footer(
      "examples:\n"
      "  tacit completion bash > ~/.local/share/bash-completion/completions/tacit\n"
      "  tacit completion zsh > ~/.zfunc/_tacit\n"
      "  tacit completion fish > ~/.config/fish/completions/tacit.fish");
  command.Value("SHELL", *shell, "bash, zsh or fish").Required().OneOf({"bash", "zsh", "fish"});
  command.Action([shell, &line] {
    const CommandText top = line.Describe();
    return Print(*shell == "bash"  ? BashCompletion(top)
                 : *shell == "zsh" ? ZshCompletion(top)
                                   : FishCompletion(top));
  });
}

void AddManualCommand(Command app, const CommandLine& line) {
  auto folder = std::make_shared<std::string>();
  Command command = app.Subcommand("manual", "write a man page for every command");
  command.Footer("examples:\n  tacit manual man1 && man -l man1/tacit-query.1");
  command.Value("DIR", *folder, "a folder that is there").Required();
  command.Action([folder, &line] {
    const Result<Done> written = WritePages(line.Describe(), *folder);
    return written.ok() ? kExitDone : Report(written.error());
  });
}

}  // namespace tacit::app
