#include "sql/parse/chains.h"

#include <algorithm>
#include <array>
#include <string>

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {
namespace {

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

template <size_t N>
bool IsOneOf(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A text's words and operators, one after the other.
class ChainCounter {
 public:
  explicit ChainCounter(std::string_view text) : text_(text) {}

  Result<Done> Count() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        SkipUntil(std::string_view(&text_[at_], 1));
      } else if (text_.substr(at_, 2) == "--") {
        SkipUntil("\n");
      } else if (text_.substr(at_, 2) == "/*") {
        SkipUntil("*/");
      } else if (IsWordByte(c)) {
        TakeWord();
      } else {
        TakeSign(c);
      }
      if (operators_ > kChainOperatorsMax) return TooLong(kChainOperatorsMax, "operators in a row");
      if (set_operations_ > kSetOperationsMax) return TooLong(kSetOperationsMax, "set operations");
    }
    return Done{};
  }

 private:
  Error TooLong(int most, const std::string& of_what) const {
    return Unsupported("a chain of more than " + std::to_string(most) + " " + of_what,
                       static_cast<int>(at_), "break it up with WITH, or add the rows of VALUES");
  }

  // To the end of what begins here. A doubled quote begins the next string: that is skipped alike.
  void SkipUntil(std::string_view end) {
    const size_t found = text_.find(end, at_ + 1);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void TakeWord() {
    static constexpr std::array<std::string_view, 11> kBreaks = {
        "and", "or", "when", "then", "else", "select", "from", "where", "by", "on", "having"};
    static constexpr std::array<std::string_view, 3> kPostfix = {"not", "is", "collate"};
    static constexpr std::array<std::string_view, 3> kSets = {"union", "except", "intersect"};
    std::string word;
    for (; at_ < text_.size() && IsWordByte(text_[at_]); ++at_) {
      const char c = text_[at_];
      if (word.size() < 16) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (IsOneOf(word, kBreaks)) operators_ = 0;
    if (IsOneOf(word, kPostfix)) ++operators_;
    if (IsOneOf(word, kSets)) ++set_operations_;
  }

  void TakeSign(char c) {
    ++at_;
    if (c == '(' || c == ')' || c == ',' || c == ';') operators_ = 0;
    if (std::string_view("+-*/%^|<>=:[").find(c) != std::string_view::npos) ++operators_;
  }

  std::string_view text_;
  size_t at_ = 0;
  int operators_ = 0;
  int set_operations_ = 0;
};

}  // namespace

Result<Done> CheckChains(std::string_view text) { return ChainCounter(text).Count(); }

}  // namespace tacit::sql::grammar
