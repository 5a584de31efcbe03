#include "sql/parse.h"

#include <pg_query.h>
#include <pthread.h>

#include <cstring>
#include <string>

#include "sql/parse/chains.h"
#include "sql/parse/grammar.h"

namespace tacit::sql {
namespace {

// Measured: the grammar, its serialiser and the reader of the serialised tree use up to 0.9 KiB of
// stack per byte of text (a chain of `1+`); twice that is reserved. A short text fits any thread's
// stack, a longer one gets a thread of its own.
constexpr size_t kStackBytesPerTextByte = 2 * 1024;
constexpr size_t kTextBytesInline = 512;

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool IsUtf8(std::string_view text) {
  const auto* byte = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = byte + text.size();
  while (byte < end) {
    const unsigned char lead = *byte++;
    if (lead < 0x80) continue;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || end - byte < more) return false;
    if ((lead == 0xE0 && byte[0] < 0xA0) || (lead == 0xED && byte[0] > 0x9F) ||
        (lead == 0xF0 && byte[0] < 0x90) || (lead == 0xF4 && byte[0] > 0x8F)) {
      return false;
    }
    for (int i = 0; i < more; ++i) {
      if ((*byte++ & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

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
    return grammar::Unsupported("a query longer than " + std::to_string(kQueryBytesMax) + " bytes",
                                -1);
  }
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return grammar::Invalid("the query contains a zero byte", static_cast<int>(nul));
  }
  if (!IsUtf8(text)) return grammar::Invalid("the query is not valid UTF-8", -1);
  return grammar::CheckChains(text);
}

// "CreateStmt" as the analyst would say it: the first word of the text.
std::string StatementName(std::string_view text, int begin) {
  std::string word;
  for (size_t i = static_cast<size_t>(begin); i < text.size() && word.size() < 20; ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) {
      word += static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
    } else if (!word.empty() || (c != ' ' && c != '\n' && c != '\t' && c != '(')) {
      break;
    }
  }
  return word.empty() ? "this statement" : word;
}

Result<Statement> ConvertExplain(const PgQuery__ExplainStmt& explain) {
  for (size_t i = 0; i < explain.n_options; ++i) {
    const PgQuery__DefElem& option = *explain.options[i]->def_elem;
    const bool analyze = std::strcmp(option.defname, "analyze") == 0;
    return grammar::Unsupported(
        std::string("EXPLAIN with the option ") + option.defname, option.location,
        analyze ? "EXPLAIN alone is free and shows price and error" : "write EXPLAIN alone");
  }
  grammar::Converter converter;
  TACIT_TRY(Query query, converter.ConvertQuery(explain.query));
  return Statement{.explain = true, .query = std::move(query)};
}

Result<Statement> ConvertStatement(const PgQuery__ParseResult& parsed, std::string_view text) {
  if (parsed.n_stmts == 0) return grammar::Invalid("the query is empty", -1);
  if (parsed.n_stmts > 1) {
    return grammar::Unsupported("more than one statement at once", parsed.stmts[1]->stmt_location,
                                "send one statement at a time");
  }
  const PgQuery__RawStmt& raw = *parsed.stmts[0];
  const PgQuery__Node* node = raw.stmt;
  if (node->node_case == PG_QUERY__NODE__NODE_EXPLAIN_STMT) {
    return ConvertExplain(*node->explain_stmt);
  }
  if (node->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    return grammar::Unsupported(StatementName(text, raw.stmt_location), raw.stmt_location,
                                "only SELECT and EXPLAIN SELECT are answered");
  }
  grammar::Converter converter;
  TACIT_TRY(Query query, converter.ConvertQuery(node));
  return Statement{.explain = false, .query = std::move(query)};
}

Result<Statement> ParseHere(const std::string& text) {
  PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(text.c_str());
  Result<Statement> result = [&]() -> Result<Statement> {
    if (parsed.error != nullptr) {
      const std::string message = parsed.error->message;
      const int position = ByteOffset(text, parsed.error->cursorpos);
      if (message.starts_with("memory exhausted")) {
        return grammar::Unsupported("nesting as deep as this", position);
      }
      return grammar::Invalid(message, parsed.error->cursorpos > 0 ? position : -1);
    }
    PgQuery__ParseResult* tree = pg_query__parse_result__unpack(
        nullptr, parsed.parse_tree.len, reinterpret_cast<const uint8_t*>(parsed.parse_tree.data));
    if (tree == nullptr) return grammar::Unsupported("nesting as deep as this", -1);
    Result<Statement> converted = ConvertStatement(*tree, text);
    pg_query__parse_result__free_unpacked(tree, nullptr);
    return converted;
  }();
  pg_query_free_protobuf_parse_result(parsed);
  return result;
}

struct ThreadWork {
  const std::string& text;
  std::optional<Result<Statement>> result;
};

void* ParseOnThread(void* argument) {
  auto* work = static_cast<ThreadWork*>(argument);
  work->result = ParseHere(work->text);
  return nullptr;
}

}  // namespace

Result<Statement> Parse(std::string_view text) {
  TACIT_CHECK(CheckBytes(text));
  const std::string terminated(text);
  if (text.size() <= kTextBytesInline) return ParseHere(terminated);
  ThreadWork work{.text = terminated, .result = std::nullopt};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (1 << 20) + text.size() * kStackBytesPerTextByte);
  pthread_t thread{};
  const int failed = pthread_create(&thread, &attributes, ParseOnThread, &work);
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the server has no room to parse this query now",
                 .hint = "try again later",
                 .position = std::nullopt,
                 .private_detail = std::string("pthread_create: ") + std::strerror(failed)};
  }
  pthread_join(thread, nullptr);
  return std::move(*work.result);
}

}  // namespace tacit::sql
