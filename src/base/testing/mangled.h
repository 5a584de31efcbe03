#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "base/secrets/entropy.h"

// Statements as no driver sends them: good ones with words left out, doubled, exchanged and put in.
// Most are refused. None may end the program.
namespace tacit::testing {

// Names, numbers, quoted texts, operators and single marks.
inline std::vector<std::string> WordsOf(const std::string& text) {
  const std::string marks = "<>=!~:|+-/";
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const char first = text[at];
    size_t end = at + 1;
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
    };
    if (std::isspace(static_cast<unsigned char>(first))) {
      at = end;
      continue;
    }
    if (first == '\'' || first == '"') {
      end = text.find(first, at + 1);
      end = end == std::string::npos ? text.size() : end + 1;
    } else if (is_word(first)) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (marks.find(first) != std::string::npos) {
      while (end < text.size() && marks.find(text[end]) != std::string::npos) ++end;
    }
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// Where the bracket that opens at `open` closes; the end of the words where it does not.
inline size_t ClosingOf(const std::vector<std::string>& words, size_t open) {
  int depth = 0;
  for (size_t i = open; i < words.size(); ++i) {
    if (words[i] == "(") ++depth;
    if (words[i] == ")" && --depth == 0) return i;
  }
  return words.size();
}

// A change or two at random places.
inline std::string Mangled(std::vector<std::string> words, Entropy& entropy) {
  static const std::vector<std::string> strangers = {"NULL",
                                                     "*",
                                                     "''",
                                                     "(SELECT)",
                                                     "(SELECT FROM pg_class)",
                                                     "()",
                                                     "ARRAY[]",
                                                     "(VALUES (1, 2))",
                                                     "DISTINCT",
                                                     "$1",
                                                     "0",
                                                     "(SELECT 1, 2)",
                                                     "ROW()",
                                                     "t",
                                                     "ANY (ARRAY[]::oid[])",
                                                     "1e400"};
  const auto below = [&](size_t count) { return static_cast<size_t>(entropy.NextWord() % count); };
  const size_t changes = 1 + below(4) / 3;
  for (size_t change = 0; change < changes && words.size() > 1; ++change) {
    const size_t at = below(words.size());
    const auto place = words.begin() + static_cast<ptrdiff_t>(at);
    switch (below(5)) {
      case 0:
        words.erase(place);
        break;
      case 1:
        *place = strangers[below(strangers.size())];
        break;
      case 2:
        words.insert(place, strangers[below(strangers.size())]);
        break;
      case 3:
        std::swap(*place, words[below(words.size())]);
        break;
      default: {  // what stands in brackets, or up to the next comma
        const size_t end = words[at] == "(" ? ClosingOf(words, at) : std::min(at + 3, words.size());
        if (end > at + 1) words.erase(place + 1, words.begin() + static_cast<ptrdiff_t>(end));
      }
    }
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace tacit::testing
