#include "sql/parse/raw_tree.h"

#include <pg_query.h>

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "sql/parse.h"
#include "sql/parse/chains.h"
#include "sql/parse/roomy_stack.h"
#include "sql/print/quote.h"

namespace tacit::sql::grammar {
namespace {

// PostgreSQL counts characters from one; we count bytes from zero.
int ByteOffset(std::string_view text, int character) {
  size_t offset = 0;
  for (int i = 1; i < character && offset < text.size(); ++i) {
    ++offset;
    while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) {
      ++offset;
    }
  }
  return static_cast<int>(offset);
}

Result<Done> CheckBytes(std::string_view text) {
  if (text.size() > kQueryBytesMax) {
    return Unsupported("a query longer than " + std::to_string(kQueryBytesMax) + " bytes", -1);
  }
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Invalid("the query contains a zero byte", static_cast<int>(nul));
  }
  if (!IsUtf8(text)) return Invalid("the query is not valid UTF-8", -1);
  return CheckChains(text);
}

bool IsPartOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool IsWord(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsPartOfWord) &&
         (text[0] < '0' || text[0] > '9');
}
bool IsReserved(const std::string& word) {
  const std::string lower = InSmallLetters(word);
  const bool letters = std::all_of(lower.begin(), lower.end(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  return letters && QuoteIdentifierIfNeeded(lower) != lower;
}

std::string WordBefore(const std::string& text, size_t end) {
  while (end > 0 && text[end - 1] == ' ') --end;
  size_t begin = end;
  while (begin > 0 && IsPartOfWord(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

// A word of SQL where a name was meant, or a name of two words.
std::string NameHint(const std::string& text, size_t position, const std::string& message) {
  constexpr std::string_view kNear = "syntax error at or near \"";
  if (!message.starts_with(kNear) || !message.ends_with('"')) return "";
  const std::string near = message.substr(kNear.size(), message.size() - kNear.size() - 1);
  const std::string before = WordBefore(text, position);
  const auto reserved = [](const std::string& word) {
    const std::string lower = InSmallLetters(word);
    return lower + " is a word of SQL; a column or table of that name is written " +
           QuoteIdentifier(lower);
  };
  // Words that begin no clause where something is missing behind them.
  static constexpr const char* kNames[] = {"asc",   "check",  "column", "default", "desc",  "end",
                                           "group", "limit",  "offset", "order",   "table", "to",
                                           "user",  "unique", "window", "primary"};
  const bool meant = std::any_of(std::begin(kNames), std::end(kNames),
                                 [&](const char* name) { return InSmallLetters(before) == name; });
  if (meant && !IsWord(near)) return reserved(before);
  if (!IsWord(near)) return "";
  if (IsReserved(near)) return reserved(near);
  if (!IsWord(before) || IsReserved(before)) return "";
  return "a name of two words is written " + QuoteIdentifier(before + " " + near);
}

Result<Done> ParseHere(const std::string& text, const UseTree& use) {
  PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(text.c_str());
  const std::unique_ptr<PgQueryProtobufParseResult, void (*)(PgQueryProtobufParseResult*)> freed(
      &parsed,
      [](PgQueryProtobufParseResult* done) { pg_query_free_protobuf_parse_result(*done); });
  const Result<Done> result = [&]() -> Result<Done> {
    if (parsed.error != nullptr) {
      const std::string message = parsed.error->message;
      const int position = ByteOffset(text, parsed.error->cursorpos);
      if (message.starts_with("memory exhausted")) {
        return Unsupported("nesting as deep as this", position);
      }
      const bool placed = parsed.error->cursorpos > 0;
      return Invalid(message, placed ? position : -1,
                     NameHint(text, placed ? static_cast<size_t>(position) : 0, message));
    }
    const RawTree tree(
        pg_query__parse_result__unpack(nullptr, parsed.parse_tree.len,
                                       reinterpret_cast<const uint8_t*>(parsed.parse_tree.data)),
        [](PgQuery__ParseResult* owned) {
          if (owned != nullptr) pg_query__parse_result__free_unpacked(owned, nullptr);
        });
    if (tree == nullptr) return Unsupported("nesting as deep as this", -1);
    use(tree);
    return Done{};
  }();
  return result;
}

}  // namespace

Result<Done> WithRawTree(std::string_view text, const UseTree& use) {
  TACIT_CHECK(CheckBytes(text));
  const std::string terminated(text);
  std::optional<Result<Done>> result;
  TACIT_CHECK(OnRoomyStack(text.size(), [&] { result = ParseHere(terminated, use); }));
  return std::move(*result);
}

}  // namespace tacit::sql::grammar
