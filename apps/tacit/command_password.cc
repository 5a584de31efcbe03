#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "commands.h"
#include "wire/auth/verifier.h"

// tacit password: a verifier for the policy; the password itself is kept nowhere.

namespace tacit::app {
namespace {

// Turns the echo of the terminal off while it lives.
class Silence {
 public:
  Silence() {
    on_terminal_ = ::tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!on_terminal_) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    if (on_terminal_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  bool on_terminal() const { return on_terminal_; }

 private:
  termios before_ = {};
  bool on_terminal_ = false;
};

Result<std::string> ReadPassword() {
  const Silence silence;
  const auto read = [&](const char* prompt) {
    if (silence.on_terminal()) std::fputs(prompt, stderr);
    std::string line;
    std::getline(std::cin, line);
    if (silence.on_terminal()) std::fputs("\n", stderr);
    return line;
  };
  std::string password = read("password: ");
  if (silence.on_terminal() && read("again: ") != password) {
    return InvalidArgument("the two are not the same");
  }
  return password;
}

Result<std::string> Make() {
  TACIT_TRY(const std::string password, ReadPassword());
  return wire::MakeVerifier(password);
}

}  // namespace

void AddPasswordCommand(Command app) {
  Command command =
      app.Subcommand("password", "read a password, print its verifier for the policy");
  command.Footer(
      "examples:\n"
      "  tacit password\n"
      "  tacit password < password.txt\n"
      "Reads one line and prints its SCRAM-SHA-256 verifier for tacit.yaml:\n"
      "  analysts:\n"
      "    ana: {password: \"SCRAM-SHA-256$...\", budget: {epsilon: 1, delta: 1e-7}}");
  command.Action([] {
    const Result<std::string> verifier = Make();
    if (!verifier.ok()) return Report(verifier.error());
    std::printf("%s\n", verifier->c_str());
    return kExitDone;
  });
}

}  // namespace tacit::app
