#include "owner/check.h"

#include <cstdio>
#include <memory>

#include "tacit/commands.h"

// tacit check: every finding with its place and a remedy, for the owner.

namespace tacit::app {

void AddCheckCommand(Command app) {
  struct Flags {
    std::string path;
    std::string format = "text";
  };
  auto flags = std::make_shared<Flags>();
  Command check = app.Subcommand("check", "Lint the policy against the database");
  check.Footer(
      "Examples:\n"
      "  tacit check clinic\n"
      "  tacit check clinic --format json\n\n"
      "Exit code 0: no errors; 2: the policy must be corrected. It reads\n"
      "rows to find broken paths to the unit: what it says is for the owner.");
  check.Value("DIR", flags->path, "The deployment's folder, or a policy file").Required();
  check.Value("--format", flags->format, "text or json").OneOf({"text", "json"});
  check.Action([flags] {
    const owner::CheckReport report = owner::Check(flags->path);
    const std::string text =
        flags->format == "json" ? owner::ToJson(report) : owner::ToText(report);
    std::fputs(text.c_str(), stdout);
    return report.CountOf(owner::Severity::kError) > 0 ? kExitWrongFlags : kExitDone;
  });
}

}  // namespace tacit::app
