#include "tacit/terminal/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "policy/yaml/words.h"
#include "tacit/terminal/exit_codes.h"

namespace tacit::app {

struct Flag::Parts {
  CLI::Option& option;
};

// Lists, because handles point at their elements.
struct Command::Parts {
  CLI::App& app;
  int& exit_code;
  std::list<Flag::Parts> flags = {};
  std::list<Parts> subcommands = {};
};

struct CommandLine::Parts {
  CLI::App app;
  int exit_code = kExitDone;
  Command::Parts top{.app = app, .exit_code = exit_code};
};

Flag Flag::Required() {
  parts_->option.required();
  return *this;
}

Flag Flag::ShowsDefault() {
  parts_->option.capture_default_str();
  return *this;
}

Flag Flag::NotEmpty() {
  parts_->option.check(
      [](const std::string& text) -> std::string { return text.empty() ? "needs a value" : ""; });
  return *this;
}

Flag Flag::OneOf(std::initializer_list<std::string_view> words) {
  parts_->option.check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
  return *this;
}

Flag Flag::Between(int low, int high) {
  parts_->option.check(CLI::Range(low, high));
  return *this;
}

Flag Flag::Excludes(Flag other) {
  parts_->option.excludes(&other.parts_->option);
  return *this;
}

Flag Flag::Commas() {
  parts_->option.delimiter(',');
  return *this;
}

Flag Flag::OneAtATime() {
  parts_->option.allow_extra_args(false);
  return *this;
}

Command Command::Subcommand(std::string_view name, std::string_view what) {
  CLI::App* app = parts_->app.add_subcommand(std::string(name), std::string(what));
  return Command(
      parts_->subcommands.emplace_back(Parts{.app = *app, .exit_code = parts_->exit_code}));
}

void Command::NeedsSubcommand() { parts_->app.require_subcommand(1); }

template <typename T>
Flag Command::Value(std::string_view name, T& target, std::string_view help) {
  CLI::Option* option = parts_->app.add_option(std::string(name), target, std::string(help));
  return Flag(parts_->flags.emplace_back(Flag::Parts{.option = *option}));
}

template Flag Command::Value(std::string_view, std::string&, std::string_view);
template Flag Command::Value(std::string_view, int&, std::string_view);
template Flag Command::Value(std::string_view, int64_t&, std::string_view);
template Flag Command::Value(std::string_view, uint32_t&, std::string_view);
template Flag Command::Value(std::string_view, uint64_t&, std::string_view);
template Flag Command::Value(std::string_view, double&, std::string_view);
template Flag Command::Value(std::string_view, std::vector<std::string>&, std::string_view);
template Flag Command::Value(std::string_view, std::vector<uint32_t>&, std::string_view);
template Flag Command::Value(std::string_view, std::vector<double>&, std::string_view);

void Command::Switch(std::string_view name, bool& target, std::string_view help) {
  parts_->app.add_flag(std::string(name), target, std::string(help));
}

void Command::Opening(std::string_view text) {
  struct WithOpening : CLI::Formatter {
    std::string make_description(const CLI::App* app) const override {
      return CLI::Formatter::make_description(app) + opening;
    }
    std::string opening;
  };
  const auto formatter = std::make_shared<WithOpening>();
  formatter->opening = text;
  parts_->app.formatter(formatter);
}

void Command::Footer(std::string_view text) { parts_->app.footer(std::string(text)); }

void Command::Action(std::function<int()> run) {
  parts_->app.callback([parts = parts_, run = std::move(run)] {
    // The library calls this after a subcommand's action, too.
    if (parts->app.get_subcommands().empty()) parts->exit_code = run();
  });
}

CommandLine::CommandLine(std::string_view name, std::string_view what, std::string_view version)
    : parts_(std::make_unique<Parts>()) {
  CLI::App& app = parts_->app;
  app.name(std::string(name));
  app.description(std::string(what));
  app.set_version_flag("--version", std::string(version));
  app.require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::Top() { return Command(parts_->top); }

namespace {

// Of the words that may stand there, the one that was meant; empty where none is near.
std::string Meant(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  return policy::yaml::NearestWord(word, words).value_or("");
}

std::vector<std::string> NamesIn(const CLI::App& app, bool commands) {
  std::vector<std::string> names;
  if (commands) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
    }
    return names;
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The first word that no command or flag has, as far as the command line is understood: what it may
// have been meant to be.
std::string MeantIn(const CLI::App& top, const std::vector<std::string>& words) {
  const CLI::App* app = &top;
  for (const std::string& word : words) {
    const bool flag = word.starts_with("--");
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string> known = NamesIn(*app, !flag);
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      if (!flag) app = app->get_subcommand(name);
      continue;
    }
    if (flag || !known.empty()) return Meant(name, known);
  }
  return "";
}

}  // namespace

int CommandLine::Run(int argc, char** argv) {
  CLI::App& app = parts_->app;
  std::vector<std::string> words(argv + 1, argv + argc);
  // What people type first: tacit help, tacit help query, tacit version.
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  } else if (words.size() == 1 && words[0] == "version") {
    words[0] = "--version";
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    // The library has an exit code of its own for every mistake; ours promise one.
    const int code = app.exit(error) == 0 ? kExitDone : kExitWrongFlags;
    const std::string meant = code == kExitDone ? "" : MeantIn(app, words);
    if (!meant.empty()) std::fprintf(stderr, "did you mean %s?\n", meant.c_str());
    return code;
  }
  return parts_->exit_code;
}

}  // namespace tacit::app
