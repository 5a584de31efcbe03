#include "deployment.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "engine/duckdb/files/open_data.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "gateway/deployment/stored_data.h"
#include "owner/prepare.h"
#include "policy/load.h"

namespace tacit::bench {
namespace {

const std::string kKey(64, 'a');

policy::Policy PolicyOf(const Suite& suite, const std::string& folder) {
  Result<policy::Policy> policy = policy::Parse(suite.policy, folder + "/tacit.yaml");
  if (!policy.ok()) std::fprintf(stderr, "%s\n", policy.error().public_message.c_str());
  return std::move(policy).value();
}

std::string DataOf(const std::string& folder) { return folder + "/data.duckdb"; }

void Run(engine::duckdb::Connection& connection, const std::string& statement) {
  const auto failure = connection.Execute(statement);
  if (failure) std::fprintf(stderr, "%s\n%s\n", failure->text.c_str(), statement.c_str());
  TACIT_ASSERT(!failure);
}

int64_t RowsOf(const policy::DuckdbSettings& data) {
  using namespace engine::duckdb;
  const Database database = OpenData(SourceOf(data), {}).value();
  Connection connection = database.Connect().value();
  std::string sizes = "SELECT CAST(sum(estimated_size) AS BIGINT) FROM duckdb_tables()";
  for (size_t i = 0; i < data.tables.size(); ++i) {
    sizes = (i == 0 ? "SELECT " : sizes + " + ") + "(SELECT count(*) FROM " +
            QuoteName(data.tables[i].name) + ")";
  }
  engine::ResultTable rows;
  const auto failure = connection.Query({.sql = sizes}, 1, &rows);
  TACIT_ASSERT(!failure);
  return std::get<int64_t>(rows.rows[0][0]);
}

// Each table as files, in the order that the rows were made in.
void WriteFiles(engine::duckdb::Connection& connection, const policy::DuckdbSettings& data) {
  constexpr int64_t kFiles = 8;
  for (const policy::FileTable& table : data.tables) {
    const std::filesystem::path folder = std::filesystem::path(table.files).parent_path();
    std::filesystem::create_directories(folder);
    for (int64_t file = 0; file < kFiles; ++file) {
      const std::string name = engine::duckdb::QuoteName(table.name);
      Run(connection, "COPY (SELECT * FROM " + name + " WHERE rowid * " + std::to_string(kFiles) +
                          " // (SELECT count(*) FROM " + name + ") = " + std::to_string(file) +
                          ") TO '" + (folder / std::to_string(file)).string() +
                          ".parquet' (FORMAT parquet)");
    }
  }
}

}  // namespace

void Deployment::MakeRows(const Suite& suite, const std::string& folder) {
  using engine::duckdb::Connection;
  using engine::duckdb::Database;
  std::filesystem::create_directories(folder);
  const std::string path = DataOf(folder);
  const policy::Policy policy = PolicyOf(suite, folder);
  const auto& data = std::get<policy::DuckdbSettings>(policy.engine);
  if (std::filesystem::exists(data.ReadsFiles() ? folder + "/files" : path)) return;
  std::filesystem::remove(path + ".new");
  {
    const Database database = Database::OpenForImport(path + ".new", {}).value();
    Connection connection = database.Connect().value();
    size_t from = 0;
    for (size_t end; (end = suite.statements.find(";\n", from)) != std::string::npos;
         from = end + 2) {
      Run(connection, suite.statements.substr(from, end - from));
    }
    Run(connection, "CHECKPOINT");
    if (data.ReadsFiles()) WriteFiles(connection, data);
  }
  if (data.ReadsFiles()) {
    std::filesystem::remove(path + ".new");
  } else {
    std::filesystem::rename(path + ".new", path);
  }
}

Preparation Deployment::Prepare(const Suite& suite, const std::string& folder) {
  const policy::Policy policy = PolicyOf(suite, folder);
  const auto& data = std::get<policy::DuckdbSettings>(policy.engine);
  if (engine::duckdb::FindPreparedCopy(policy, data.path, kKey)) return {};
  Preparation took{.rows = RowsOf(data), .seconds = 0};
  const auto started = std::chrono::steady_clock::now();
  const auto done = owner::Prepare(policy, kKey, {});
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().public_message.c_str());
  TACIT_ASSERT(done.ok());
  took.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return took;
}

Deployment::Deployment(const Suite& suite, const std::string& folder, bool prepared, int threads)
    : folder_(folder), policy_(PolicyOf(suite, folder)), kept_results_(folder + "/answers") {
  // Without the key of the copy there is none.
  const gateway::StoredData stored =
      gateway::FindStoredData(policy_, prepared ? kKey : std::string(64, 'b')).value();
  TACIT_ASSERT(prepared == stored.prepared);
  schema_ = stored.schema;
  engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(
      stored.source, engine::duckdb::Limits{.threads = threads});
}

ledger::Ledger Deployment::FreshLedger() {
  const std::string path = folder_ + "/ledger-" + std::to_string(::getpid()) + "-" +
                           std::to_string(++ledgers_) + ".sqlite";
  for (const char* tail : {"", "-wal", "-shm", "-head"}) std::filesystem::remove(path + tail);
  TACIT_ASSERT(ledger::Ledger::Create(path).ok());
  ledger::Ledger ledger = ledger::Ledger::Open(path).value();
  return ledger;
}

void Deployment::Clean(const std::string& folder) {
  std::filesystem::remove_all(folder + "/answers");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("ledger-")) {
      std::filesystem::remove(entry.path());
    }
  }
}

gateway::Services Deployment::Services(ledger::Ledger& ledger) {
  return gateway::Services{.policy = policy_,
                           .schema = schema_,
                           .ledger = ledger,
                           .engine = *engine_,
                           .entropy = Entropy::ForThisThread(),
                           .deployment_key = kKey,
                           .kept_results = kept_results_,
                           .gate = nullptr,
                           .instances = &instances_};
}

}  // namespace tacit::bench
