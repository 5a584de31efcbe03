#include <algorithm>
#include <vector>

#include "sql/functions/patterns/pattern.h"

namespace tacit::sql {
namespace {

// Why these: a pattern is compiled before the first row is read, and its program stays small.
constexpr size_t kPatternBytesMax = 256;
constexpr int kRepeatMax = 100;
constexpr int kGroupDepthMax = 20;

bool IsFigure(char c) { return c >= '0' && c <= '9'; }

// Walks a pattern once. Refused, because RE2 does not have them or means something else: look
// around, back references, \y \m \M, inline options, possessive and non-greedy marks.
class RegexReader {
 public:
  explicit RegexReader(std::string_view text) : text_(text) {}

  std::string Complaint() {
    if (text_.size() > kPatternBytesMax) return "the pattern is longer than 256 bytes";
    Alternatives(0);
    if (problem_.empty() && at_ < text_.size()) problem_ = "the pattern closes a ) too many";
    return problem_;
  }
  bool has_group() const { return has_group_; }

 private:
  bool More() const { return problem_.empty() && at_ < text_.size(); }
  bool Take(char c) {
    if (!More() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Problem(const char* what) {
    if (problem_.empty()) problem_ = what;
  }

  // The largest number of copies that counted repetitions inside make.
  int Alternatives(int depth) {
    int most = 1;
    do {
      while (More() && text_[at_] != '|' && text_[at_] != ')') most = std::max(most, Piece(depth));
    } while (Take('|'));
    return most;
  }

  int Piece(int depth) {
    const int inside = Atom(depth);
    int copies = 1;
    bool repeated = false;
    while (More() &&
           (text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '?' || text_[at_] == '{')) {
      if (repeated) {
        Problem("a repetition of a repetition, or a non-greedy one, is not taken");
        break;
      }
      repeated = true;
      if (text_[at_++] == '{') copies = Counted();
    }
    if (inside * copies > kRepeatMax) Problem("a part is repeated more than 100 times");
    return inside * copies;
  }

  int Counted() {
    const int low = Count();
    int high = low;
    if (Take(',') && More() && text_[at_] != '}') high = Count();
    if (!Take('}') || high < low) Problem("a repetition is written {2}, {2,} or {2,5}");
    return std::max(high, 1);
  }
  int Count() {
    int number = 0;
    const size_t begin = at_;
    while (More() && IsFigure(text_[at_]) && number <= kRepeatMax) {
      number = number * 10 + (text_[at_++] - '0');
    }
    if (at_ == begin) Problem("a repetition is written {2}, {2,} or {2,5}");
    if (number > kRepeatMax) Problem("a part is repeated more than 100 times");
    return number;
  }

  int Atom(int depth) {
    const char c = text_[at_++];
    if (c == '(') {
      if (depth >= kGroupDepthMax) Problem("the pattern is nested too deep");
      if (Take('?')) {
        if (!Take(':')) Problem("of (?...) only (?: ) is taken");
      } else {
        has_group_ = true;
      }
      const int inside = problem_.empty() ? Alternatives(depth + 1) : 1;
      if (!Take(')')) Problem("the pattern does not close a (");
      return inside;
    }
    if (c == '[') {
      Class();
    } else if (c == '\\') {
      Escape(false);
    } else if (c == '*' || c == '+' || c == '?' || c == '{' || c == '}' || c == ']') {
      Problem("a repetition has nothing before it, or a bracket nothing to close");
    } else if (static_cast<unsigned char>(c) < 0x20) {
      Problem("the pattern has a control character");
    }
    return 1;
  }

  void Escape(bool in_class) {
    if (!More()) return Problem("the pattern ends with a backslash");
    const char c = text_[at_++];
    constexpr std::string_view kClasses = "dsw";
    constexpr std::string_view kOutside = "DSW";
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsFigure(c);
    const bool known = kClasses.find(c) != std::string_view::npos || c == 'n' || c == 't' ||
                       (!in_class && kOutside.find(c) != std::string_view::npos);
    if (letter && !known) Problem("of escapes \\d \\s \\w \\D \\S \\W \\n \\t are taken");
    if (static_cast<unsigned char>(c) >= 0x80) Problem("only ASCII is escaped");
  }

  void Class() {
    Take('^');
    for (bool first = true;; first = false) {
      if (!More()) return Problem("the pattern does not close a [");
      if (!first && Take(']')) return;
      if (text_[at_] == '[') {
        if (!PosixName()) {
          return Problem("of [: :] alpha, digit, alnum, space, upper, lower and punct are taken");
        }
        continue;
      }
      const char low = text_[at_++];
      if (low == '\\') Escape(true);
      const bool range = at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']';
      if (!range) continue;
      const char high = text_[at_ + 1];
      if (!IsPlain(low) || !IsPlain(high) || low > high) {
        return Problem("a range of characters is written [a-z], in ASCII");
      }
      at_ += 2;
    }
  }
  static bool IsPlain(char c) { return c > 0x20 && c < 0x7f && c != '\\' && c != '['; }

  bool PosixName() {
    for (const std::string_view name : {"[:alpha:]", "[:digit:]", "[:alnum:]", "[:space:]",
                                        "[:upper:]", "[:lower:]", "[:punct:]"}) {
      if (text_.substr(at_).starts_with(name)) {
        at_ += name.size();
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string problem_;
  bool has_group_ = false;
};

}  // namespace

std::string ComplainRegex(std::string_view pattern) { return RegexReader(pattern).Complaint(); }

bool HasGroup(std::string_view pattern) {
  RegexReader reader(pattern);
  return reader.Complaint().empty() && reader.has_group();
}

std::optional<std::string> RegexOfSimilar(std::string_view pattern) {
  std::string regex = "^(?:";
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      if (++i == pattern.size()) return std::nullopt;
      const char next = pattern[i];
      const bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                          IsFigure(next) || static_cast<unsigned char>(next) >= 0x80;
      if (!letter) regex += '\\';
      regex += next;
    } else if (in_class) {
      in_class = c != ']';
      regex += c;
    } else if (c == '%') {
      regex += ".*";
    } else if (c == '_') {
      regex += '.';
    } else if (c == '.' || c == '^' || c == '$') {
      regex += std::string("\\") + c;
    } else {
      in_class = c == '[';
      regex += c == '(' ? std::string("(?:") : std::string(1, c);
    }
  }
  return regex + ")$";
}

}  // namespace tacit::sql
