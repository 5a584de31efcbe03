#include "tacit/terminal/flags.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "tacit/terminal/exit_codes.h"

namespace tacit::app {

struct Flag::Parts {
  CLI::Option& option;
  std::vector<std::string> words = {};  // the only ones that it takes; empty: any
};

// Lists, because handles point at their elements.
struct Command::Parts {
  CLI::App& app;
  int& exit_code;
  std::list<Flag::Parts> flags = {};
  std::list<Parts> subcommands = {};
  std::string opening = {};

  CommandText Describe(const std::string& before) const;
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
  parts_->words.assign(words.begin(), words.end());
  parts_->option.check(CLI::IsMember(parts_->words));
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
  CLI::Option* option = parts_->app.add_flag(std::string(name), target, std::string(help));
  parts_->flags.emplace_back(Flag::Parts{.option = *option});
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
  parts_->opening = text;
  parts_->app.formatter(formatter);
}

void Command::Footer(std::string_view text) { parts_->app.footer(std::string(text)); }

void Command::Action(std::function<int()> run) {
  parts_->app.callback([parts = parts_, run = std::move(run)] {
    // The library calls this after a subcommand's action, too.
    if (parts->app.get_subcommands().empty()) parts->exit_code = run();
  });
}

CommandText Command::Parts::Describe(const std::string& before) const {
  CommandText text{.name = before + app.get_name(),
                   .what = app.get_description(),
                   .opening = opening,
                   .footer = app.get_footer(),
                   .flags = {},
                   .subcommands = {}};
  for (const Flag::Parts& flag : flags) {
    const CLI::Option& option = flag.option;
    const bool word = option.get_positional();
    text.flags.push_back({.name = word ? option.get_name(true) : option.get_name(),
                          .help = option.get_description(),
                          .words = flag.words,
                          .takes_value = option.get_type_size() != 0,
                          .required = option.get_required(),
                          .is_list = option.get_items_expected_max() > 1});
  }
  for (const Parts& part : subcommands) {
    text.subcommands.push_back(part.Describe(text.name + " "));
  }
  return text;
}

CommandText CommandLine::Describe() const { return parts_->top.Describe(""); }

CommandLine::CommandLine(std::string_view name, std::string_view what,
                         std::function<std::string()> version)
    : parts_(std::make_unique<Parts>()) {
  CLI::App& app = parts_->app;
  app.name(std::string(name));
  app.description(std::string(what));
  app.set_version_flag("--version", std::move(version));
  app.require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::Top() { return Command(parts_->top); }

int CommandLine::Run(int argc, char** argv) {
  CLI::App& app = parts_->app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // The library has an exit code of its own for every mistake; ours promise one.
    return app.exit(error) == 0 ? kExitDone : kExitWrongFlags;
  }
  return parts_->exit_code;
}

}  // namespace tacit::app
