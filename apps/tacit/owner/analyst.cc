#include <cstdio>
#include <memory>

#include "owner/edit_policy.h"
#include "policy/edit.h"
#include "policy/yaml/tree.h"
#include "tacit/commands.h"
#include "tacit/owner/read_password.h"

// tacit analyst: who may ask over the network, written into the policy as the owner would.

namespace tacit::app {
namespace {

struct AnalystFlags {
  std::string folder;
  std::string name;
  std::string epsilon;
  std::string delta;
  bool weak = false;
};

Result<policy::Policy> Add(const AnalystFlags& flags) {
  TACIT_TRY(const Rational epsilon, ReadNumber("--epsilon", flags.epsilon));
  TACIT_CHECK(CheckedEpsilon(epsilon, "--epsilon"));
  if (!flags.delta.empty()) {
    TACIT_TRY(const Rational delta, ReadNumber("--delta", flags.delta));
    TACIT_CHECK(CheckedDelta(delta, "--delta"));
  }
  return owner::EditPolicy(
      flags.folder,
      [&](const std::string& text, const policy::Policy& policy) -> Result<std::string> {
        if (policy.FindAnalyst(flags.name) != nullptr) {
          return InvalidArgument("the policy has an analyst " + flags.name + " already",
                                 "tacit analyst password gives a new password");
        }
        // Under zcdp nothing can be asked without a delta.
        const bool zcdp = policy.privacy.accounting == policy::Accounting::kZcdp;
        const std::string unless_given = zcdp ? ToString(policy.privacy.budget.delta.value) : "0";
        const std::string& delta = flags.delta.empty() ? unless_given : flags.delta;
        TACIT_TRY(const std::string verifier, ReadVerifier(flags.weak));
        return policy::WithEntry(
            text, "analysts",
            policy::YamlText(flags.name) + ": {password: " + policy::YamlText(verifier) +
                ", budget: {epsilon: " + flags.epsilon + ", delta: " + delta + "}}\n");
      });
}

// Where the policy says only where the verifier is found, it belongs there.
Result<Done> CheckWrittenHere(const std::string& text, const std::string& name) {
  TACIT_TRY(const policy::yaml::Node root, policy::yaml::ParseTree(text, "the policy"));
  for (const auto& [section, analysts] : root.entries) {
    if (section.text != "analysts") continue;
    for (const auto& [key, words] : analysts.entries) {
      for (const auto& [word, value] : words.entries) {
        if (key.text != name || word.text != "password") continue;
        if (value.text.starts_with("SCRAM-")) return Done{};
        return InvalidArgument(
            "the verifier of " + name + " is not in the policy but at " + value.text,
            "write it there: tacit password prints it");
      }
    }
  }
  return InvalidArgument("the policy has no analyst " + name,
                         "tacit analyst add makes one; names keep their case");
}

Result<policy::Policy> ChangePassword(const AnalystFlags& flags) {
  return owner::EditPolicy(
      flags.folder, [&](const std::string& text, const policy::Policy&) -> Result<std::string> {
        TACIT_CHECK(CheckWrittenHere(text, flags.name));
        TACIT_TRY(const std::string verifier, ReadVerifier(flags.weak));
        return policy::WithWord(text, "analysts", flags.name, "password", verifier);
      });
}

Result<policy::Policy> Remove(const AnalystFlags& flags) {
  return owner::EditPolicy(
      flags.folder,
      [&](const std::string& text, const policy::Policy& policy) -> Result<std::string> {
        if (policy.FindAnalyst(flags.name) == nullptr) {
          return InvalidArgument("the policy has no analyst " + flags.name,
                                 "names keep their case");
        }
        return policy::WithoutEntry(text, "analysts", flags.name);
      });
}

int Say(const Result<policy::Policy>& edited, const std::string& done) {
  if (!edited.ok()) return Report(edited.error());
  std::printf("%s in %s; a running server takes it when it is told: kill -HUP PID\n", done.c_str(),
              edited->file.c_str());
  return kExitDone;
}

}  // namespace

void AddAnalystCommand(Command app) {
  auto flags = std::make_shared<AnalystFlags>();
  Command command = app.Subcommand("analyst", "who may ask over the network");
  command.NeedsSubcommand();
  command.Footer(
      "examples:\n"
      "  tacit analyst add clinic ana --epsilon 1 --delta 1e-7\n"
      "  tacit analyst password clinic ana\n"
      "  tacit analyst remove clinic ana\n"
      "Each reads the password from the terminal or stdin, and edits tacit.yaml: its comments and\n"
      "everything else of it stay. What an analyst has spent stays spent: the name comes back with "
      "it.");
  const auto part = [&](const char* name, const char* what) {
    Command made = command.Subcommand(name, what);
    made.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
    made.Value("NAME", flags->name, "the analyst's name, which logs in").Required();
    return made;
  };
  Command add = part("add", "a new analyst, with a budget of their own");
  add.Value("--epsilon", flags->epsilon, "what they may spend in all").Required().NotEmpty();
  add.Value("--delta", flags->delta,
            "and of delta; unless given the data's under zcdp, and 0 under pure")
      .NotEmpty();
  add.Switch("--weak", flags->weak, "take a password of fewer than 12 characters");
  add.Action([flags] { return Say(Add(*flags), "added " + flags->name); });
  Command password = part("password", "a new password");
  password.Switch("--weak", flags->weak, "take a password of fewer than 12 characters");
  password.Action(
      [flags] { return Say(ChangePassword(*flags), "new password of " + flags->name); });
  Command remove = part("remove", "take an analyst out");
  remove.Action([flags] { return Say(Remove(*flags), "removed " + flags->name); });
}

}  // namespace tacit::app
