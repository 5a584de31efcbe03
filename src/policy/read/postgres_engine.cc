#include "policy/load.h"
#include "policy/read/dsn.h"
#include "policy/read/sections.h"
#include "policy/read/server_words.h"

// engine: {kind: postgres, dsn: ..., password: env:NAME, schema: public, prepared: tacit_prepared}
namespace tacit::policy::read {

using yaml::Node;
using yaml::Words;

namespace {

Result<Done> CheckDsn(const std::string& dsn) {
  if (!HoldsPassword(dsn)) return Done{};
  return InvalidArgument("the dsn holds a password", std::string("take it out: ") + kPasswordHint);
}

}  // namespace

Result<PostgresSettings> ReadPostgresEngine(const Node& node, std::string_view file,
                                            const std::string& folder) {
  TACIT_TRY(const Words words, Words::Of(node, file, "engine postgres",
                                         {"kind", "dsn", "password", "schema", "prepared"}));
  PostgresSettings postgres;
  TACIT_TRY(postgres.dsn, words.NeedText("dsn", "dsn: \"host=db user=tacit dbname=clinic\""));
  TACIT_CHECK(AtPlace(CheckDsn(postgres.dsn), file, words.Find("dsn")->place));
  if (words.Has("schema")) {
    TACIT_TRY(postgres.schema, words.NeedText("schema", "schema: public"));
  }
  if (words.Has("prepared")) {
    TACIT_TRY(postgres.prepared, words.NeedText("prepared", "prepared: tacit_prepared"));
    if (postgres.prepared == postgres.schema) {
      return yaml::ErrorAt(file, words.Find("prepared")->place,
                           "engine: prepared is the schema of the tables themselves",
                           "name one that holds nothing else: prepared: tacit_prepared");
    }
  }
  if (words.Has("password")) {
    TACIT_TRY(const std::string reference, words.NeedText("password", "password: env:NAME"));
    TACIT_TRY(postgres.password, AtPlace(ReadServerPassword(reference, folder, "postgres"), file,
                                         words.Find("password")->place));
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
    TACIT_TRY(postgres.password, read::ReadServerPassword(password, folder, "postgres"));
  }
  return postgres;
}

}  // namespace tacit::policy
