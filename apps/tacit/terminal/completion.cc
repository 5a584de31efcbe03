#include <functional>

#include "base/quoted.h"
#include "tacit/terminal/describe.h"

// What a shell may offer after each command: its subcommands and flags, the few values that a flag
// takes, and files everywhere else.

namespace tacit::app {
namespace {

using Each = std::function<void(const CommandText&)>;

void ForAll(const CommandText& command, const Each& each) {
  each(command);
  for (const CommandText& part : command.subcommands) ForAll(part, each);
}

std::string LastWord(const CommandText& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

std::string Offers(const CommandText& command) {
  std::string text;
  for (const CommandText& part : command.subcommands) text += LastWord(part) + " ";
  for (const FlagText& flag : command.flags) {
    if (!flag.is_word()) text += flag.name + " ";
  }
  return text + "--help";
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

// The command is what the words before the cursor name, as far as they do.
std::string BashCompletion(const CommandText& top) {
  std::string offers, values;
  ForAll(top, [&](const CommandText& command) {
    offers +=
        "    " + InShellMarks(command.name) + ") offers=" + InShellMarks(Offers(command)) + " ;;\n";
    for (const FlagText& flag : command.flags) {
      if (flag.words.empty() || flag.is_word()) continue;
      values += "    " + InShellMarks(command.name + " " + flag.name) +
                ") offers=" + InShellMarks(Joined(flag.words)) + " ;;\n";
    }
  });
  return "# bash completion for tacit, made from its flags\n_tacit() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=tacit offers= i\n"
         "  _tacit_offers() {\n    offers=\n    case \"$1\" in\n" +
         offers + values +
         "    esac\n  }\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    _tacit_offers \"$command ${COMP_WORDS[i]}\"\n"
         "    if [[ -n $offers && ${COMP_WORDS[i]} != -* ]]; then command+=\" ${COMP_WORDS[i]}\"; "
         "fi\n"
         "  done\n"
         "  _tacit_offers \"$command $before\"\n"
         "  if [[ $before != -* || -z $offers ]]; then _tacit_offers \"$command\"; fi\n"
         "  COMPREPLY=($(compgen -W \"$offers\" -- \"$word\"))\n"
         "  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- \"$word\")); fi\n}\n"
         "complete -o filenames -F _tacit tacit\n";
}

std::string ZshCompletion(const CommandText& top) {
  std::string cases;
  ForAll(top, [&](const CommandText& command) {
    cases += "    " + InShellMarks(command.name) + ")\n      offers=(";
    for (const CommandText& part : command.subcommands) {
      cases += InShellMarks(LastWord(part) + ":" + part.what) + " ";
    }
    for (const FlagText& flag : command.flags) {
      if (!flag.is_word()) cases += InShellMarks(flag.name + ":" + flag.help) + " ";
    }
    cases += "'--help:print help') ;;\n";
  });
  return "#compdef tacit\n# zsh completion for tacit, made from its flags\n_tacit_offers() {\n"
         "  offers=()\n  case \"$1\" in\n" +
         cases +
         "  esac\n}\n_tacit() {\n  local -a offers\n  local command=tacit i\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n"
         "    _tacit_offers \"$command ${words[i]}\"\n"
         "    if [[ ${#offers} -gt 0 && ${words[i]} != -* ]]; then command+=\" ${words[i]}\"; fi\n"
         "  done\n  _tacit_offers \"$command\"\n  _describe tacit offers\n  _files\n}\n"
         "_tacit \"$@\"\n";
}

std::string FishCompletion(const CommandText& top) {
  std::string text = "# fish completion for tacit, made from its flags\n";
  ForAll(top, [&](const CommandText& command) {
    // Offered where all words of the command, and none that would lead on, have been written.
    std::string seen;
    for (size_t begin = command.name.find(' '); begin != std::string::npos;) {
      const size_t end = command.name.find(' ', begin + 1);
      seen += "; and __fish_seen_subcommand_from " +
              command.name.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
      begin = end;
    }
    std::string parts;
    for (const CommandText& part : command.subcommands) parts += " " + LastWord(part);
    const std::string here = "true" + seen;
    const std::string before =
        parts.empty() ? here : here + "; and not __fish_seen_subcommand_from" + parts;
    for (const CommandText& part : command.subcommands) {
      text += "complete -c tacit -f -n " + InShellMarks(before) + " -a " + LastWord(part) + " -d " +
              InShellMarks(part.what) + "\n";
    }
    for (const FlagText& flag : command.flags) {
      if (!flag.name.starts_with("--")) continue;
      text += "complete -c tacit -n " + InShellMarks(here) + " -l " + flag.name.substr(2) +
              (flag.takes_value ? " -r" : "") +
              (flag.words.empty() ? "" : " -f -a " + InShellMarks(Joined(flag.words))) + " -d " +
              InShellMarks(flag.help) + "\n";
    }
  });
  return text;
}

}  // namespace tacit::app
