#pragma once

#include <string>
#include <vector>

// What the commands are, as values: what man pages and completions are made of, so that they say
// what the flags say.

namespace tacit::app {

struct FlagText {
  std::string name;  // "--epsilon", or "DIR" for a word at its place
  std::string help;
  std::vector<std::string> words;  // the only values that it takes; empty: any
  bool takes_value = true;
  bool required = false;
  bool is_list = false;
  bool is_word() const { return !name.starts_with("-"); }
};

struct CommandText {
  std::string name;  // "tacit ledger verify"
  std::string what;
  std::string opening;
  std::string footer;
  std::vector<FlagText> flags;
  std::vector<CommandText> subcommands;
};

// A page of the section 1 for this command alone, as troff.
std::string ManPage(const CommandText& command, const std::string& version);

// For all commands below `top`: what a shell reads to complete them.
std::string BashCompletion(const CommandText& top);
std::string ZshCompletion(const CommandText& top);
std::string FishCompletion(const CommandText& top);

}  // namespace tacit::app
