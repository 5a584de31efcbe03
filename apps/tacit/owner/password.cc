#include <cstdio>
#include <memory>

#include "tacit/commands.h"
#include "tacit/owner/read_password.h"

// tacit password: a verifier for the policy; the password itself is kept nowhere.

namespace tacit::app {

void AddPasswordCommand(Command app) {
  auto weak = std::make_shared<bool>(false);
  Command command =
      app.Subcommand("password", "read a password, print its verifier for the policy");
  command.Footer(
      "examples:\n"
      "  tacit password\n"
      "  tacit password < password.txt\n"
      "Reads one line of at least 12 characters and prints its SCRAM-SHA-256 verifier for\n"
      "tacit.yaml (tacit analyst add writes it there itself):\n"
      "  analysts:\n"
      "    ana: {password: \"SCRAM-SHA-256$...\", budget: {epsilon: 1, delta: 1e-7}}");
  command.Switch("--weak", *weak, "take a password of fewer than 12 characters");
  command.Action([weak] {
    const Result<std::string> verifier = ReadVerifier(*weak);
    if (!verifier.ok()) return Report(verifier.error());
    std::printf("%s\n", verifier->c_str());
    return kExitDone;
  });
}

}  // namespace tacit::app
