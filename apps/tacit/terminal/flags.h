#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "tacit/terminal/describe.h"

// How a command describes itself: its flags, its help, and what it does. Only flags.cc knows the
// library that reads the command line, because that library takes longer to compile than most
// commands.
//
//   Command command = app.Subcommand("noise", "Print exact noise samples");
//   command.Value("law", flags->law, "laplace or gaussian").Required().OneOf({"laplace", ...});
//   command.Value("--count", flags->count, "how many samples").ShowsDefault();
//   command.Action([flags] { return PrintSamples(*flags); });
//
// Command and Flag are handles: a copy means the same command or flag, which the CommandLine owns.
// What flags fill must live until it has run; the action sees to that by holding it.

namespace tacit::app {

// What may be said about a flag. Help lists what it takes; a wrong value never reaches the action.
class Flag {
 public:
  Flag Required();
  Flag ShowsDefault();  // the value before the command line is read, in the help
  Flag NotEmpty();      // `--epsilon "$E"` with E unset must not mean the default
  Flag OneOf(std::initializer_list<std::string_view> words);
  Flag Between(int low, int high);
  Flag Excludes(Flag other);

  // Of a list, which takes all words up to the next flag:
  Flag Commas();      // and splits each of them at its commas
  Flag OneAtATime();  // no: one word each time the flag is given

 private:
  friend class Command;
  struct Parts;
  explicit Flag(Parts& parts) : parts_(&parts) {}
  Parts* parts_;
};

class Command {
 public:
  Command Subcommand(std::string_view name, std::string_view what);
  // Exactly one: the command does nothing by itself.
  void NeedsSubcommand();

  // A flag with a value when the name has dashes, else a word at that place. T is a text, a number
  // or a list of them; flags.cc has a line for each type in use.
  template <typename T>
  Flag Value(std::string_view name, T& target, std::string_view help);
  void Switch(std::string_view name, bool& target, std::string_view help);

  void Opening(std::string_view text);  // between the description and the usage
  void Footer(std::string_view text);

  // Runs when this command is chosen and none of its subcommands is; returns the exit code.
  void Action(std::function<int()> run);

 private:
  friend class CommandLine;
  struct Parts;
  explicit Command(Parts& parts) : parts_(&parts) {}
  Parts* parts_;
};

// The program with all its commands, of which it needs one.
class CommandLine {
 public:
  // `version` is called when somebody asks for it.
  CommandLine(std::string_view name, std::string_view what, std::function<std::string()> version);
  ~CommandLine();

  Command Top();

  // All commands and their flags.
  CommandText Describe() const;

  // Runs the chosen command and returns its exit code. Prints help or the version when asked to
  // (kExitDone), or on stderr what is wrong with the flags (kExitWrongFlags).
  int Run(int argc, char** argv);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tacit::app
