#include "tacit/owner/read_password.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/secrets/secret_bytes.h"
#include "wire/auth/verifier.h"

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

// Why 4096: nobody's password is longer, and a terminal gives no longer line.
constexpr size_t kPasswordBytesMax = 4096;

// One line, byte by byte: a buffered stream would keep a copy.
Result<SecretBytes> ReadLine() {
  SecretBytes line = SecretBytes::OfSize(kPasswordBytesMax + 1);
  size_t length = 0;
  while (length < line.size() && ::read(STDIN_FILENO, line.data() + length, 1) == 1 &&
         line.data()[length] != '\n') {
    ++length;
  }
  if (length > kPasswordBytesMax) {
    return InvalidArgument("the password is longer than 4096 bytes", "choose a shorter one");
  }
  return SecretBytes(line.view().substr(0, length));
}

Result<SecretBytes> ReadPassword() {
  const Silence silence;
  const auto read = [&](const char* prompt) {
    if (silence.on_terminal()) std::fputs(prompt, stderr);
    Result<SecretBytes> line = ReadLine();
    if (silence.on_terminal()) std::fputs("\n", stderr);
    return line;
  };
  TACIT_TRY(SecretBytes password, read("password: "));
  if (silence.on_terminal()) {
    TACIT_TRY(const SecretBytes again, read("again: "));
    if (again.view() != password.view()) return InvalidArgument("the two are not the same");
  }
  return password;
}

size_t CharactersIn(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

Result<std::string> ReadVerifier(bool weak) {
  TACIT_TRY(const SecretBytes password, ReadPassword());
  if (!weak && CharactersIn(password.view()) < kPasswordCharactersMin) {
    return InvalidArgument(
        "the password has fewer than " + std::to_string(kPasswordCharactersMin) + " characters",
        "choose a longer one, such as head -c 15 /dev/urandom | base64; or say "
        "--weak");
  }
  return wire::MakeVerifier(password);
}

}  // namespace tacit::app
