#include <algorithm>
#include <cstdio>

#include "policy/read/secret.h"
#include "policy/read/sections.h"
#include "policy/schema.h"

namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;
using yaml::Node;
using yaml::TextOf;
using yaml::Words;

// Length of the bytes that a base64 text stands for, or nothing when it is not base64.
std::optional<size_t> Base64Length(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  for (const char c : text) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!letter && c != '+' && c != '/') return std::nullopt;
  }
  return (text.size() + padding) / 4 * 3 - padding;
}

// SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>, as PostgreSQL stores it.
bool IsScramVerifier(std::string_view text) {
  constexpr std::string_view kScheme = "SCRAM-SHA-256$";
  if (!text.starts_with(kScheme)) return false;
  text.remove_prefix(kScheme.size());
  const size_t dollar = text.find('$');
  if (dollar == std::string_view::npos) return false;
  const std::string_view first = text.substr(0, dollar), second = text.substr(dollar + 1);
  const size_t colon = first.find(':'), keys_colon = second.find(':');
  if (colon == std::string_view::npos || keys_colon == std::string_view::npos) return false;
  const std::optional<Int128> iterations = ParseInt128(first.substr(0, colon));
  // Why 4096 and ten million: RFC 7677 asks for at least the first; the second is seconds of work
  // for every client that logs in.
  if (!iterations || *iterations < 4096 || *iterations > 10'000'000) return false;
  const std::optional<size_t> salt = Base64Length(first.substr(colon + 1));
  return salt && *salt >= 8 && *salt <= 1024 && Base64Length(second.substr(0, keys_colon)) == 32 &&
         Base64Length(second.substr(keys_colon + 1)) == 32;
}

Result<std::vector<AddressRange>> ReadProxies(const Node& node, std::string_view file) {
  constexpr const char* kExample = "write  proxies: [127.0.0.1, 10.0.0.0/8, \"fd00::/8\"]";
  if (node.kind != Node::Kind::kSequence) {
    return ErrorAt(file, node.place, "proxies must be a list of addresses", kExample);
  }
  std::vector<AddressRange> ranges;
  for (const Node& item : node.items) {
    TACIT_TRY(const std::string text, TextOf(item, file, "a proxy"));
    const std::optional<AddressRange> range = AddressRange::Of(text);
    if (!range) {
      return ErrorAt(file, item.place,
                     "\"" + text + "\" is not an address, or a network without bits of a host",
                     kExample);
    }
    ranges.push_back(*range);
  }
  return ranges;
}

// "drop" or "90 days".
Result<std::optional<int>> ReadQuestions(const Node& node, std::string_view file) {
  TACIT_TRY(const std::string text, TextOf(node, file, "questions"));
  if (text == "drop") return std::optional<int>();
  int days = 0, used = 0;
  // Why 36500: a hundred years are for ever.
  if (std::sscanf(text.c_str(), "%d day%n", &days, &used) == 1 && used > 0 && days >= 1 &&
      days <= 36'500 &&
      (text.substr(static_cast<size_t>(used)) == "s" || text.size() == static_cast<size_t>(used))) {
    return std::optional<int>(days);
  }
  return ErrorAt(file, node.place, "questions is not a number of days",
                 "write  questions: 90 days  or  questions: drop");
}

// A policy may be read by others, and stands in repositories: a password comes by reference.
Result<std::string> ReadDatabasePassword(const Words& words, std::string_view file,
                                         const std::string& folder) {
  constexpr const char* kReferences =
      "write  password: \"file:ledger.password\"  (mode 0600), "
      "env:NAME or credential:NAME";
  const Node* node = words.Find("password");
  if (node == nullptr) return std::string();
  TACIT_TRY(const std::string text, TextOf(*node, file, "password"));
  if (!text.starts_with("file:") && !text.starts_with("env:") && !text.starts_with("credential:")) {
    return ErrorAt(file, node->place, "the database's password stands in the policy itself",
                   kReferences);
  }
  Result<std::string> secret = ReadSecret(text, folder);
  if (secret.ok()) return secret;
  return ErrorAt(file, node->place, secret.error().public_message, secret.error().hint);
}

// "password=..." or "postgresql://name:...@host".
bool HoldsPassword(std::string_view dsn) {
  if (dsn.find("password") != std::string_view::npos) return true;
  const size_t scheme = dsn.find("://");
  const size_t at = dsn.find('@');
  return scheme != std::string_view::npos && at != std::string_view::npos &&
         dsn.substr(scheme + 3, at - scheme - 3).find(':') != std::string_view::npos;
}

Result<LedgerSettings> ReadPostgresLedger(const Node& node, std::string_view file,
                                          const std::string& folder) {
  TACIT_TRY(const Words words, Words::Of(node, file, "ledger postgres",
                                         {"kind", "dsn", "password", "schema", "path"}));
  PostgresLedger ledger;
  TACIT_TRY(ledger.dsn, words.NeedText("dsn", "dsn: \"host=db dbname=ledger user=tacit\""));
  if (HoldsPassword(ledger.dsn)) {
    return ErrorAt(file, words.Find("dsn")->place, "the ledger's dsn holds a password",
                   "write it by reference:  password: \"file:ledger.password\"");
  }
  TACIT_TRY(ledger.password, ReadDatabasePassword(words, file, folder));
  if (const Node* schema = words.Find("schema")) {
    TACIT_TRY(ledger.schema, TextOf(*schema, file, "schema"));
    const bool plain = std::all_of(ledger.schema.begin(), ledger.schema.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!plain || ledger.schema.empty() || ledger.schema.size() > 63 || ledger.schema[0] <= '9') {
      return ErrorAt(file, schema->place, "the ledger's schema is not a plain name",
                     "write small letters, digits and _, as in  schema: tacit_ledger");
    }
  }
  ledger.path = (std::filesystem::path(folder) / "ledger").string();
  if (words.Has("path")) {
    TACIT_TRY(ledger.path, ReadPath(words, "path", "path: ledger", folder));
  }
  return LedgerSettings(std::move(ledger));
}

}  // namespace

Result<LedgerSettings> ReadLedger(const Node& node, std::string_view file,
                                  const std::string& folder) {
  TACIT_TRY(const Words any, Words::Of(node, file, "ledger",
                                       {"kind", "path", "witness", "dsn", "password", "schema"}));
  TACIT_TRY(const int kind, any.NeedChoice("kind", {"sqlite", "postgres"}));
  if (kind == 0) {
    TACIT_TRY(const Words words,
              Words::Of(node, file, "ledger sqlite", {"kind", "path", "witness"}));
    TACIT_TRY(const std::string path, ReadPath(words, "path", "path: ledger.sqlite", folder));
    SqliteLedger ledger{.path = path};
    if (words.Has("witness")) {
      TACIT_TRY(ledger.witness, ReadPath(words, "witness", "witness: /var/lib/tacit/head", folder));
    }
    return LedgerSettings(std::move(ledger));
  }
  return ReadPostgresLedger(node, file, folder);
}

Result<ServerSettings> ReadServer(const Node& node, std::string_view file,
                                  const std::string& folder) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "server",
                      {"answer_every_ms", "proxies", "questions", "unprepared", "now", "tls"}));
  ServerSettings server;
  TACIT_TRY(const int64_t every, words.Whole("answer_every_ms", 0, 60'000, 0));
  server.answer_every_ms = static_cast<int>(every);
  if (words.Has("unprepared")) {
    TACIT_TRY(const int choice, words.NeedChoice("unprepared", {"prepare", "refuse", "allow"}));
    server.unprepared = static_cast<Unprepared>(choice);
  }
  if (words.Has("now")) {
    TACIT_TRY(const int choice, words.NeedChoice("now", {"day", "hour", "minute"}));
    server.now = static_cast<NowUnit>(choice);
  }
  if (const Node* tls = words.Find("tls")) {
    TACIT_TRY(const Words tls_words, Words::Of(*tls, file, "server.tls", {"certificate", "key"}));
    server.tls.emplace();
    TACIT_TRY(server.tls->certificate,
              ReadPath(tls_words, "certificate", "certificate: server.crt", folder));
    TACIT_TRY(server.tls->key, ReadPath(tls_words, "key", "key: server.key", folder));
  }
  if (const Node* questions = words.Find("questions")) {
    TACIT_TRY(server.questions_days, ReadQuestions(*questions, file));
  }
  if (const Node* proxies = words.Find("proxies")) {
    TACIT_TRY(server.proxies, ReadProxies(*proxies, file));
  }
  return server;
}

Result<std::vector<Analyst>> ReadAnalysts(const Node& node, std::string_view file,
                                          const std::string& folder) {
  std::vector<Analyst> analysts;
  if (node.kind == Node::Kind::kNull) return analysts;
  if (node.kind != Node::Kind::kMapping) {
    return ErrorAt(file, node.place, "analysts must be a mapping of names",
                   "write  ana: {password: \"SCRAM-SHA-256$...\", budget: {...}}");
  }
  for (const auto& [key, value] : node.entries) {
    TACIT_CHECK(CheckName(key, file, "an analyst's name"));
    const std::string what = "analyst " + key.text;
    TACIT_TRY(const Words words, Words::Of(value, file, what, {"password", "budget"}));
    Analyst analyst{.name = key.text, .place = key.place, .password = "", .budget = {}};
    TACIT_TRY(const std::string text,
              words.NeedText("password", "password: \"SCRAM-SHA-256$...\""));
    Result<std::string> secret = ReadSecret(text, folder);
    if (!secret.ok()) {
      return ErrorAt(file, words.Find("password")->place, secret.error().public_message,
                     secret.error().hint);
    }
    analyst.password = std::move(secret).value();
    if (!IsScramVerifier(analyst.password)) {
      // The text may be the password itself: it is not repeated.
      return ErrorAt(file, words.Find("password")->place,
                     "the password of " + what + " is not a SCRAM-SHA-256 verifier",
                     "run `tacit password` and paste what it prints");
    }
    TACIT_TRY(const Node* budget, words.Need("budget", "budget: {epsilon: 1, delta: 1e-7}"));
    TACIT_TRY(analyst.budget, ReadBudget(*budget, file, "the budget of " + what));
    analysts.push_back(std::move(analyst));
  }
  return analysts;
}

Result<Done> CheckName(const Node& key, std::string_view file, std::string_view what) {
  if (key.text.size() > 63) {
    return ErrorAt(file, key.place, std::string(what) + " is longer than 63 bytes",
                   "PostgreSQL cuts names there: give it a shorter one");
  }
  for (const char c : key.text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      return ErrorAt(file, key.place, std::string(what) + " holds a line break or a tab");
    }
  }
  return Done{};
}

}  // namespace tacit::policy::read
