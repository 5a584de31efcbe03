#include "wire/pg/login/startup_options.h"

#include "base/utf8.h"

namespace tacit::wire::pg {
namespace {

std::vector<std::string> WordsOf(const std::string& options) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i] == '\\' && i + 1 < options.size()) {
      words.back() += options[++i];
    } else if (options[i] == ' ') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += options[i];
    }
  }
  return words;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SettingsOf(const StartupWanted& startup) {
  std::vector<std::pair<std::string, std::string>> settings;
  const std::vector<std::string> words = WordsOf(startup.Value("options"));
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (word == "-c" && i + 1 < words.size()) {
      word = words[++i];
    } else if (word.starts_with("-c") || word.starts_with("--")) {
      word = word.substr(2);
    } else {
      continue;
    }
    const size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    settings.emplace_back(Utf8OrAsk(word.substr(0, equals)), Utf8OrAsk(word.substr(equals + 1)));
  }
  for (const auto& [name, value] : startup.parameters) {
    const bool is_setting = name != "user" && name != "database" && name != "options" &&
                            name != "replication" && !name.starts_with("_pq_.");
    if (is_setting) settings.emplace_back(Utf8OrAsk(name), Utf8OrAsk(value));
  }
  return settings;
}

}  // namespace tacit::wire::pg
