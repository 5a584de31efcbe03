#include "ledger/postgres/storage.h"

#include <filesystem>

#include "ledger/postgres/tables.h"

namespace tacit::ledger {
namespace {

// Longer than anybody's: making tables waits for nobody.
constexpr int kMakingTimeoutMs = 30'000;

Result<Done> MakePostgresTables(const PostgresPlace& place) {
  TACIT_TRY(const std::unique_ptr<PostgresSession> session,
            PostgresSession::Connect(place, kMakingTimeoutMs));
  session->QueueText("SELECT to_regclass('" + place.schema + ".ledger') IS NOT NULL");
  TACIT_TRY(const std::vector<PgRows> found, session->Run());
  if (found.back().IsTrue(0, 0)) return Done{};
  session->QueueText("BEGIN");
  const std::string all = SqlOfTables(place.schema);
  for (size_t start = 0; start < all.size();) {
    const size_t end = all.find(";\n", start);
    session->QueueText(all.substr(start, end - start));
    start = end + 2;
  }
  session->QueueText("COMMIT");
  Result<std::vector<PgRows>> made = session->Run();
  if (made.ok()) return Done{};
  Error error = std::move(made).error();
  if (session->last_state() == "42501") {
    error.public_message = "the role may not make the ledger's tables";
    error.hint = "have the database's owner run what this prints: tacit ledger create --sql";
  }
  return error;
}

Error CannotMake(const Place& place, const std::string& why, const std::string& hint) {
  return PostgresUnavailable("the ledger in " + place.Name() + " cannot be made: " + why, hint);
}

}  // namespace

Result<std::unique_ptr<StorageConnection>> PostgresStorage::Connect() {
  TACIT_TRY(std::unique_ptr<PostgresConnection> connection,
            PostgresConnection::Open(place_, options_));
  return std::unique_ptr<StorageConnection>(std::move(connection));
}

Result<Done> PostgresStorage::Create(const Place& place, const Addition& first, const OwnerKey& key,
                                     HeadHere head_here) {
  const std::string head_path = HeadFile::PathOf(place.path);
  std::error_code unknown;
  if (head_here == HeadHere::kInTheWay && std::filesystem::exists(head_path, unknown)) {
    return CannotMake(place, head_path + " belongs to a ledger that was here before",
                      "put that ledger back; remove the file only if there never was one");
  }
  TACIT_CHECK(MakePostgresTables(*place.server));
  TACIT_TRY(
      const std::unique_ptr<PostgresConnection> connection,
      PostgresConnection::Open(*place.server, {.sharing = PostgresConnection::Sharing::kAlone}));
  TACIT_CHECK(connection->Begin(StorageConnection::Access::kWrite));
  TACIT_TRY(const std::optional<StoredRecord> last, connection->LastRecord());
  if (last) {
    return CannotMake(place, "there is one already",
                      "a ledger is never replaced: its budget is spent for good. For another "
                      "gateway: tacit ledger join");
  }
  TACIT_CHECK(connection->Append(first));
  TACIT_CHECK(connection->Commit());
  const Head head{.records = first.records.back().sequence, .hash = first.records.back().hash};
  return HeadFiles(head_path, place.witness).Replace(head, key);
}

}  // namespace tacit::ledger
