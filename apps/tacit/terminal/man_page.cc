#include <algorithm>

#include "tacit/terminal/describe.h"

namespace tacit::app {
namespace {

// Text of one paragraph or of lines that stay as they are.
std::string Escaped(const std::string& text) {
  std::string escaped;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    starts_line = c == '\n';
  }
  return escaped;
}

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c == ' ' ? '-' : static_cast<char>(std::toupper(c));
  });
  return text;
}

std::string Synopsis(const CommandText& command) {
  std::string text = "\\fB" + Escaped(command.name) + "\\fR";
  for (const FlagText& flag : command.flags) {
    if (!flag.is_word()) continue;
    const std::string word = "\\fI" + Escaped(flag.name) + "\\fR" + (flag.is_list ? "..." : "");
    text += flag.required ? " " + word : " [" + word + "]";
  }
  for (const FlagText& flag : command.flags) {
    if (flag.is_word() || !flag.required) continue;
    text += " \\fB" + Escaped(flag.name) + "\\fR \\fIVALUE\\fR";
  }
  if (!command.subcommands.empty()) text += " \\fICOMMAND\\fR";
  return text + " [\\fIOPTIONS\\fR]\n";
}

std::string Listed(const CommandText& command, bool words) {
  std::string text;
  for (const FlagText& flag : command.flags) {
    if (flag.is_word() != words) continue;
    text += ".TP\n\\fB" + Escaped(flag.name) + "\\fR";
    if (!words && flag.takes_value) text += " \\fIVALUE\\fR";
    text += "\n" + Escaped(flag.help) + "\n";
    if (flag.words.empty()) continue;
    text += "One of";
    for (const std::string& word : flag.words) text += " \\fB" + Escaped(word) + "\\fR";
    text += ".\n";
  }
  return text;
}

}  // namespace

std::string ManPage(const CommandText& command, const std::string& version) {
  std::string text = ".TH \"" + Upper(command.name) + "\" 1 \"\" \"" + Escaped(version) +
                     "\" \"Tacit\"\n.SH NAME\n" + Escaped(command.name) + " \\- " +
                     Escaped(command.what) + "\n.SH SYNOPSIS\n" + Synopsis(command);
  if (!command.opening.empty()) {
    text += ".SH DESCRIPTION\n.nf\n" + Escaped(command.opening) + "\n.fi\n";
  }
  if (!command.subcommands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandText& part : command.subcommands) {
      text += ".TP\n\\fB" + Escaped(part.name) + "\\fR\n" + Escaped(part.what) + "\n";
    }
  }
  const std::string words = Listed(command, true);
  if (!words.empty()) text += ".SH ARGUMENTS\n" + words;
  text +=
      ".SH OPTIONS\n" + Listed(command, false) + ".TP\n\\fB\\-\\-help\\fR\nPrint help and exit.\n";
  if (!command.footer.empty()) text += ".SH NOTES\n.nf\n" + Escaped(command.footer) + "\n.fi\n";
  return text +
         ".SH EXIT STATUS\n0 done, 1 anything else, 2 wrong flags or a bad policy, 3 the query "
         "was not accepted, 4 budget exhausted, 5 engine or ledger unavailable.\n";
}

}  // namespace tacit::app
