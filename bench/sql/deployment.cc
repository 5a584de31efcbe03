#include "deployment.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "engine/duckdb/prepared_copy.h"
#include "owner/prepare.h"
#include "policy/load.h"

namespace tacit::bench {
namespace {

const std::string kKey(64, 'a');

constexpr char kPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1000, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  people:
    unit: pid
    rows_per_unit: 1
    columns:
      pid: {hidden: true}
      age: {bounds: [0, 120]}
      town: {keys: {from: 0, to: 49, step: 1}}
      income: {bounds: [0, 200000], step: 0.01}
  events: &
    unit: uid
    rows_per_unit: 20
    columns: COLUMNS
  purchases:
    unit: uid
    rows_per_unit: 20
    groups_per_unit: 3
    rows_per_group: 2
    columns: COLUMNS
)";

std::string PolicyText() {
  const std::string columns =
      "{uid: {hidden: true}, ten: {keys: {from: 0, to: 9, step: 1}}, hundred: {keys: {from: 0, to: "
      "99, step: 1}}, many: {keys: {from: 0, to: 9999, step: 1}}, amount: {bounds: [0, 1000], "
      "step: 0.01}}";
  std::string text = kPolicy;
  text.erase(text.find(" &"), 2);
  for (size_t at = text.find("COLUMNS"); at != std::string::npos; at = text.find("COLUMNS")) {
    text.replace(at, 7, columns);
  }
  return text;
}

policy::Policy PolicyOf(const std::string& folder) {
  return policy::Parse(PolicyText(), folder + "/tacit.yaml").value();
}

// Rows in no order of people, as they would be imported.
void StoreRows(const std::string& path, int64_t rows) {
  using engine::duckdb::Connection;
  using engine::duckdb::Database;
  const Database database = Database::OpenForImport(path, {}).value();
  Connection connection = database.Connect().value();
  const std::string n = std::to_string(rows);
  const std::string units = std::to_string(rows / 10);
  const std::string events =
      " AS SELECT CAST(hash(i) % " + units +
      " AS INTEGER) AS uid, CAST(i % 10 AS INTEGER) AS ten, CAST(hash(i + 1) % 100 AS INTEGER) AS "
      "hundred, CAST(hash(i + 2) % 10000 AS INTEGER) AS many, CAST(hash(i + 3) % 100000 AS DOUBLE) "
      "/ 100 AS amount FROM range(" +
      n + ") t(i)";
  for (const std::string& statement :
       {"CREATE TABLE people AS SELECT CAST((i * 7919) % " + n +
            " AS INTEGER) AS pid, CAST(hash(i) % 100 AS INTEGER) AS age, CAST(hash(i + 5) % 50 AS "
            "INTEGER) AS town, CAST(hash(i + 9) % 9000000 AS DOUBLE) / 100 AS income FROM range(" +
            n + ") t(i)",
        "CREATE TABLE events" + events, "CREATE TABLE purchases" + events,
        std::string("CHECKPOINT")}) {
    const auto failure = connection.Execute(statement);
    TACIT_ASSERT(!failure);
  }
}

}  // namespace

std::string Deployment::Make(const std::string& folder, int64_t rows, double* prepare_seconds) {
  const std::string path = folder + "/" + std::to_string(rows);
  std::filesystem::create_directories(path);
  const std::string file = path + "/data.duckdb";
  if (!std::filesystem::exists(file)) {
    StoreRows(file + ".new", rows);
    std::filesystem::rename(file + ".new", file);
  }
  const policy::Policy policy = PolicyOf(path);
  if (engine::duckdb::FindPreparedCopy(policy, file, kKey)) return path;
  const auto started = std::chrono::steady_clock::now();
  const auto done = owner::Prepare(policy, kKey, {});
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().public_message.c_str());
  TACIT_ASSERT(done.ok());
  *prepare_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return path;
}

Deployment::Deployment(const std::string& folder, bool prepared, int threads)
    : folder_(folder), policy_(PolicyOf(folder)), shelf_(folder + "/answers") {
  using engine::duckdb::DuckdbEngine;
  const engine::duckdb::Limits limits{.threads = threads};
  const std::string file = folder + "/data.duckdb";
  engine_ = std::make_unique<DuckdbEngine>(file, limits);
  schema_ = engine_->ReadSchema().value();
  if (!prepared) return;
  const auto copy = engine::duckdb::FindPreparedCopy(policy_, file, kKey);
  TACIT_ASSERT(copy.has_value());
  engine_ = std::make_unique<DuckdbEngine>(copy->path, limits, copy->identity);
  for (policy::SchemaTable& table : schema_.tables) table.prepared = true;
}

ledger::Ledger Deployment::FreshLedger() {
  const std::string path = folder_ + "/ledger-" + std::to_string(::getpid()) + "-" +
                           std::to_string(++ledgers_) + ".sqlite";
  for (const char* tail : {"", "-wal", "-shm", "-head"}) std::filesystem::remove(path + tail);
  TACIT_ASSERT(ledger::Ledger::Create(path).ok());
  ledger::Ledger ledger = ledger::Ledger::Open(path).value();
  return ledger;
}

gateway::Services Deployment::Services(ledger::Ledger& ledger) {
  return gateway::Services{.policy = policy_,
                           .schema = schema_,
                           .ledger = ledger,
                           .engine = *engine_,
                           .entropy = Entropy::ForThisThread(),
                           .deployment_key = kKey,
                           .shelf = shelf_,
                           .gate = nullptr,
                           .instances = &instances_};
}

}  // namespace tacit::bench
