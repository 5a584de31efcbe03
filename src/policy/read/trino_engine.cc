#include <algorithm>
#include <filesystem>

#include "policy/load.h"
#include "policy/read/sections.h"
#include "policy/read/server_words.h"
#include "policy/schema.h"

// engine: {kind: trino, url: https://trino:8443, catalog: hive, schema: clinic, user: tacit, ...}
namespace tacit::policy::read {

using yaml::ErrorAt;
using yaml::Node;
using yaml::TextOf;
using yaml::Words;

namespace {

constexpr char kUrlHint[] = "write  url: https://trino.example.org:8443";

bool IsSecure(const std::string& url) { return url.starts_with("https://"); }

// A scheme, a host and perhaps a port. What else a URL can hold would be sent, or shown, or kept.
Result<std::string> ReadUrl(std::string url) {
  if (url.ends_with('/')) url.pop_back();
  const size_t scheme = IsSecure(url) ? 8 : url.starts_with("http://") ? 7 : 0;
  const std::string rest = url.substr(scheme);
  if (rest.find('@') != std::string::npos) {
    return InvalidArgument("the url holds a name or a password",
                           std::string("say them apart: user: tacit, and ") + kPasswordHint);
  }
  const bool is_plain = std::all_of(rest.begin(), rest.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == ':' || c == '[' || c == ']' || c == '_';
  });
  if (scheme == 0 || rest.empty() || !is_plain) {
    return InvalidArgument("the url is not https or http, a host and a port", kUrlHint);
  }
  return url;
}

Result<std::string> ReadPassword(const std::string& reference, const std::string& folder,
                                 const std::string& url) {
  if (IsSecure(url)) return ReadServerPassword(reference, folder, "trino");
  return InvalidArgument("a password would cross the network readable by anybody",
                         "let the url begin with https://");
}

// Headers hold it.
Result<Done> CheckWord(const std::string& text, const std::string& what) {
  const bool is_plain =
      !text.empty() && text.size() <= 200 && std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
      });
  if (is_plain) return Done{};
  return InvalidArgument(what + " of engine trino is no word", "write it without blanks");
}

Result<std::pair<std::string, std::string>> ReadProperty(const Node& key, const Node& value,
                                                         std::string_view file) {
  TACIT_TRY(const std::string text, TextOf(value, file, "a session property"));
  const bool is_name =
      !key.text.empty() && std::all_of(key.text.begin(), key.text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
      });
  if (!is_name || key.text == "query_max_run_time") {
    return ErrorAt(file, key.place,
                   is_name ? "query_max_run_time is Tacit's own: five minutes"
                           : "a session property has a name of small letters, digits, _ and .",
                   "like  session: {join_distribution_type: PARTITIONED}");
  }
  return std::pair(key.text, text);
}

Result<ColumnOfTable> ReadUnique(const Node& node, std::string_view file) {
  TACIT_TRY(const std::string text, TextOf(node, file, "a unique column"));
  const size_t dot = text.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
    return ErrorAt(file, node.place, "a unique column is written as TABLE.COLUMN",
                   "unique: [patients.ssn]");
  }
  return ColumnOfTable{text.substr(0, dot), text.substr(dot + 1)};
}

}  // namespace

Result<TrinoSettings> ReadTrinoEngine(const Node& node, std::string_view file,
                                      const std::string& folder) {
  TACIT_TRY(const Words words, Words::Of(node, file, "engine trino",
                                         {"kind", "url", "catalog", "schema", "user", "password",
                                          "ca", "session", "unique"}));
  TACIT_TRY(const std::string url, words.NeedText("url", "url: https://trino:8443"));
  TACIT_TRY(const std::string catalog, words.NeedText("catalog", "catalog: hive"));
  TACIT_TRY(const std::string schema, words.NeedText("schema", "schema: clinic"));
  std::string user = TrinoSettings{}.user, password, ca;
  if (words.Has("user")) {
    TACIT_TRY(user, words.NeedText("user", "user: tacit"));
  }
  if (words.Has("password")) {
    TACIT_TRY(password, words.NeedText("password", "password: env:NAME"));
  }
  if (words.Has("ca")) {
    TACIT_TRY(ca, words.NeedText("ca", "ca: trino-ca.pem"));
  }
  TACIT_TRY(TrinoSettings trino, AtPlace(MakeTrinoSettings({.url = url,
                                                            .catalog = catalog,
                                                            .schema = schema,
                                                            .user = user,
                                                            .password = password,
                                                            .authorities = ca},
                                                           folder),
                                         file, node.place));
  if (const Node* session = words.Find("session")) {
    if (session->kind != Node::Kind::kMapping) {
      return ErrorAt(file, session->place, "session is a list of properties with values",
                     "like  session: {join_distribution_type: PARTITIONED}");
    }
    for (const auto& [key, value] : session->entries) {
      TACIT_TRY(trino.session.emplace_back(), ReadProperty(key, value, file));
    }
  }
  if (const Node* unique = words.Find("unique")) {
    if (unique->kind != Node::Kind::kSequence) {
      return ErrorAt(file, unique->place, "unique is a list of columns", "unique: [patients.ssn]");
    }
    for (const Node& one : unique->items) {
      TACIT_TRY(trino.unique.emplace_back(), ReadUnique(one, file));
    }
  }
  return trino;
}

}  // namespace tacit::policy::read

namespace tacit::policy {

Result<TrinoSettings> MakeTrinoSettings(TrinoSettings written, const std::string& folder) {
  TACIT_TRY(written.url, read::ReadUrl(written.url));
  TACIT_CHECK(read::CheckWord(written.catalog, "catalog"));
  TACIT_CHECK(read::CheckWord(written.schema, "schema"));
  TACIT_CHECK(read::CheckWord(written.user, "user"));
  // Trino's names are of small letters.
  written.catalog = FoldedName(written.catalog);
  written.schema = FoldedName(written.schema);
  if (!written.password.empty()) {
    TACIT_TRY(written.password, read::ReadPassword(written.password, folder, written.url));
  }
  if (!written.authorities.empty()) {
    written.authorities =
        (std::filesystem::path(folder) / written.authorities).lexically_normal().string();
  }
  return written;
}

}  // namespace tacit::policy
