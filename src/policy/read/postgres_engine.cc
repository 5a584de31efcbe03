#include "policy/load.h"
#include "policy/read/secret.h"
#include "policy/read/sections.h"

// engine: {kind: postgres, dsn: ..., password: env:NAME, schema: public}
namespace tacit::policy::read {

using yaml::ErrorAt;
using yaml::Node;
using yaml::Words;

namespace {

bool IsReference(const std::string& text) {
  return text.starts_with("env:") || text.starts_with("file:") || text.starts_with("credential:");
}

// The policy is a file that others read.
bool HoldsPassword(const std::string& dsn) {
  if (dsn.find("password=") != std::string::npos || dsn.find("password =") != std::string::npos) {
    return true;
  }
  const size_t scheme = dsn.find("://");
  if (scheme == std::string::npos) return false;
  const std::string authority = dsn.substr(scheme + 3, dsn.find('/', scheme + 3) - scheme - 3);
  const size_t at = authority.find('@');
  return at != std::string::npos && authority.substr(0, at).find(':') != std::string::npos;
}

constexpr char kPasswordHint[] = "write  password: env:NAME, file:PATH or credential:NAME";

Result<Done> CheckDsn(const std::string& dsn) {
  if (!HoldsPassword(dsn)) return Done{};
  return InvalidArgument("the dsn holds a password", std::string("take it out: ") + kPasswordHint);
}

Result<std::string> ReadPassword(const std::string& reference, const std::string& folder) {
  if (IsReference(reference)) return ReadSecret(reference, folder);
  return InvalidArgument("the password of engine postgres stands there itself", kPasswordHint);
}

// The same error, at its place in the file.
template <class T>
Result<T> AtPlace(Result<T> read, std::string_view file, const Place& place) {
  if (read.ok()) return read;
  return ErrorAt(file, place, read.error().public_message, read.error().hint);
}

}  // namespace

Result<PostgresSettings> ReadPostgresEngine(const Node& node, std::string_view file,
                                            const std::string& folder) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "engine postgres", {"kind", "dsn", "password", "schema"}));
  PostgresSettings postgres;
  TACIT_TRY(postgres.dsn, words.NeedText("dsn", "dsn: \"host=db user=tacit dbname=clinic\""));
  TACIT_CHECK(AtPlace(CheckDsn(postgres.dsn), file, words.Find("dsn")->place));
  if (words.Has("schema")) {
    TACIT_TRY(postgres.schema, words.NeedText("schema", "schema: public"));
  }
  if (words.Has("password")) {
    TACIT_TRY(const std::string reference, words.NeedText("password", "password: env:NAME"));
    TACIT_TRY(postgres.password,
              AtPlace(ReadPassword(reference, folder), file, words.Find("password")->place));
  }
  return postgres;
}

}  // namespace tacit::policy::read

namespace tacit::policy {

Result<PostgresSettings> MakePostgresSettings(const std::string& dsn, const std::string& password,
                                              const std::string& schema,
                                              const std::string& folder) {
  PostgresSettings postgres{.dsn = dsn, .password = "", .schema = schema};
  TACIT_CHECK(read::CheckDsn(dsn));
  if (!password.empty()) {
    TACIT_TRY(postgres.password, read::ReadPassword(password, folder));
  }
  return postgres;
}

}  // namespace tacit::policy
