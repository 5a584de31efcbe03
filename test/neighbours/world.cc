#include "world.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/analyze.h"
#include "answer/format/format.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "engine/duckdb/values/read_schema.h"
#include "ledger/inspect.h"
#include "owner/import/import_table.h"
#include "owner/in_place/verify.h"
#include "owner/prepare.h"
#include "policy/load.h"
#include "sql/bind/session_zone.h"
#include "sql/constants/zone.h"
#include "sql/parse.h"

namespace tacit::neighbours {

const std::string kDeploymentKey(64, 'a');

namespace {

// A world that cannot be made is a broken test, whatever program it runs in.
void Must(bool is_true, const std::string& what) {
  if (is_true) return;
  std::cerr << "a world for tests cannot be made: " << what << std::endl;
  std::abort();
}

// Why half an hour: no statement takes a second, but a run of hours may be stopped in the middle of
// one and go on later.
const engine::duckdb::Limits kLimits{.threads = 1, .deadline = std::chrono::minutes(30)};

// Ledgers are written durably at every charge: in memory that takes no time.
std::filesystem::path FolderOfWorlds() {
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  Must(file.is_open(), path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void RunScript(engine::duckdb::Connection& connection, const std::string& script) {
  std::stringstream text(script);
  for (std::string statement; std::getline(text, statement, ';');) {
    if (statement.find_first_not_of(" \n") == std::string::npos) continue;
    const auto failure = connection.Execute(statement);
    Must(!failure, (failure ? failure->text : "") + "\n" + statement);
  }
}

// The policy of a golden database without the list that is wrong on purpose: what `tacit check`
// finds wrong is neither prepared nor asked.
std::string PolicyToAsk(std::string policy) {
  const std::string wrong = "code: {keys: [a, b]}";
  const size_t at = policy.find(wrong);
  return at == std::string::npos ? policy : policy.replace(at, wrong.size(), "code: {}");
}

}  // namespace

std::unique_ptr<World> World::Make(const std::string& name, const std::string& extra,
                                   bool prepared) {
  const std::string databases = std::string(TACIT_SQL_TEST_FOLDER) + "/databases/" + name;
  return MakeFrom(ReadFile(databases + ".sql") + ";" + extra,
                  PolicyToAsk(ReadFile(databases + ".yaml")), prepared);
}

std::unique_ptr<World> World::MakeFrom(const std::string& script, const std::string& policy,
                                       bool prepared) {
  using engine::duckdb::Connection;
  using engine::duckdb::Database;
  std::unique_ptr<World> world(new World());
  world->MakeFolder();
  const std::string path = (world->folder_ / "data.duckdb").string();
  {
    const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
    Must(database.ok(), path);
    Result<Connection> connected = database->Connect();
    Connection connection = std::move(connected).value();
    RunScript(connection, script);
  }
  world->Declare(policy);
  world->engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(path, kLimits);
  world->schema_ = world->engine_->ReadSchema().value();
  if (prepared) world->Prepare();
  world->OpenLedger();
  return world;
}

std::unique_ptr<World> World::MakeOfFiles(const std::string& name, const std::string& extra,
                                          Files files, bool prepared, int parts) {
  const std::string databases = std::string(TACIT_SQL_TEST_FOLDER) + "/databases/" + name;
  std::unique_ptr<World> world(new World());
  world->MakeFolder();
  world->Declare(PolicyToAsk(ReadFile(databases + ".yaml")));
  world->WriteFiles(ReadFile(databases + ".sql") + ";" + extra, parts);
  // Looks at the files in both cases, so that both know the same columns to be unique.
  const Result<owner::VerifiedFiles> verified = owner::VerifyFiles(world->policy_);
  Must(verified.ok(), verified.ok() ? "" : verified.error().public_message);
  world->schema_ = verified->schema;
  if (files == Files::kImported) {
    world->Import();
  } else {
    world->engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(verified->source, kLimits);
  }
  if (prepared) world->Prepare();
  world->OpenLedger();
  return world;
}

void World::MakeFolder() {
  std::string pattern = (FolderOfWorlds() / "world-XXXXXX").string();
  Must(::mkdtemp(pattern.data()) != nullptr, pattern);
  folder_ = pattern;
}

void World::OpenLedger() {
  const std::string ledger = (folder_ / "ledger.sqlite").string();
  Must(ledger::Ledger::Create(ledger).ok(), ledger);
  ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(ledger).value());
}

// Rows go to the files by their hash, so that those of a person stand in several.
void World::WriteFiles(const std::string& script, int parts) {
  using engine::duckdb::QuoteLiteral;
  using engine::duckdb::QuoteName;
  const engine::duckdb::Database made =
      engine::duckdb::Database::OpenForImport(":memory:", {.threads = 1}).value();
  engine::duckdb::Connection connection = made.Connect().value();
  RunScript(connection, script);
  policy::DuckdbSettings data{.path = (folder_ / "data").string()};
  const policy::Schema schema = engine::duckdb::ReadSchema(connection).value();
  for (const policy::SchemaTable& table : schema.tables) {
    const std::filesystem::path files = folder_ / "files" / table.name;
    std::filesystem::create_directories(files);
    for (int part = 0; part < parts; ++part) {
      const std::string path = (files / (std::to_string(part) + ".parquet")).string();
      const auto failure = connection.Execute("COPY (SELECT * FROM " + QuoteName(table.name) +
                                              " AS r WHERE hash(r) % " + std::to_string(parts) +
                                              " = " + std::to_string(part) + ") TO " +
                                              QuoteLiteral(path) + " (FORMAT parquet)");
      Must(!failure, failure ? failure->text : "");
    }
    data.tables.push_back({.name = table.name,
                           .place = {},
                           .format = policy::FileTable::Format::kParquet,
                           .files = (files / "*.parquet").string()});
  }
  policy_.engine = data;
}

// As `tacit init` does, with the columns unique that were seen to be.
void World::Import() {
  using engine::duckdb::QuoteName;
  const auto files = std::get<policy::DuckdbSettings>(policy_.engine).tables;
  {
    const engine::duckdb::Database database =
        engine::duckdb::Database::OpenForImport(DataPath(), {.threads = 1}).value();
    engine::duckdb::Connection connection = database.Connect().value();
    for (const policy::FileTable& table : files) {
      const auto notes =
          owner::ImportTable(connection, {.table = table.name, .file = table.files}, "", {}, {});
      Must(notes.ok(), notes.ok() ? "" : notes.error().public_message);
      for (const policy::SchemaColumn& column : schema_.Find(table.name)->columns) {
        if (!column.unique) continue;
        const auto failure = connection.Execute(
            "CREATE UNIQUE INDEX " + QuoteName("i_" + table.name + column.name) + " ON " +
            QuoteName(table.name) + " (" + QuoteName(column.name) + ")");
        Must(!failure, failure ? failure->text : "");
      }
    }
  }
  policy_.engine = policy::DuckdbSettings{.path = DataPath()};
  engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(DataPath(), kLimits);
  const policy::Schema imported = engine_->ReadSchema().value();
  Must(imported == schema_, "the schema of what was imported is another one");
}

void World::Declare(const std::string& policy) {
  Result<policy::Policy> parsed = policy::Parse(policy, (folder_ / "tacit.yaml").string());
  Must(parsed.ok(), parsed.ok() ? "" : parsed.error().public_message + parsed.error().hint);
  policy_ = std::move(parsed).value();
  policy_.privacy.budget = {.epsilon = Epsilon(100'000'000, 1), .delta = Delta(1, 2)};
}

void World::Prepare() {
  auto* data = std::get_if<policy::DuckdbSettings>(&policy_.engine);
  if (data == nullptr || !data->ReadsFiles()) {
    policy_.engine = policy::DuckdbSettings{.path = DataPath()};
  }
  const std::string path = std::get<policy::DuckdbSettings>(policy_.engine).path;
  engine_.reset();
  const Result<std::vector<std::string>> done = owner::Prepare(policy_, kDeploymentKey, {});
  Must(done.ok(), done.ok() ? "" : done.error().public_message + done.error().private_detail);
  const auto copy = engine::duckdb::FindPreparedCopy(policy_, path, kDeploymentKey);
  Must(copy.has_value(), "no prepared copy");
  engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(copy->path, kLimits, copy->identity);
  engine::duckdb::MarkPrepared(*copy, policy_, schema_);
}

World::~World() {
  engine_.reset();
  ledger_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

gateway::Services World::ServicesWith(Entropy& entropy, engine::Engine& engine,
                                      const policy::Policy* instead) {
  return {.policy = instead != nullptr ? *instead : policy_,
          .schema = schema_,
          .ledger = *ledger_,
          .engine = engine,
          .entropy = entropy,
          .deployment_key = kDeploymentKey,
          .kept_results = kept_results_,
          .instances = &instances_};
}

World::Seen World::Ask(const gateway::Request& request, uint64_t seed, engine::Engine* before) {
  tacit::testing::SeededEntropy entropy(seed);
  gateway::Services services = ServicesWith(entropy, before != nullptr ? *before : *engine_);
  const Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
  Seen seen;
  seen.answered = answer.ok();
  if (!answer.ok()) {
    const Error& error = answer.error();
    seen.error = error;
    seen.said = std::to_string(static_cast<int>(error.code)) + error.public_message + error.hint +
                std::to_string(error.position.value_or(-1)) + error.rule;
    return seen;
  }
  answer::Answer told = *answer;
  seen.rows = std::move(told.rows);
  seen.cached = told.privacy.cached;
  told.rows.clear();
  told.margins.clear();
  told.privacy.receipt = told.privacy.receipt.substr(0, told.privacy.receipt.find(':'));
  seen.balance = answer::FormatJson(told);
  told.privacy.remaining = {};
  seen.said = answer::FormatJson(told);
  return seen;
}

std::string World::Explain(const gateway::Request& request, const policy::Policy* instead) {
  tacit::testing::SeededEntropy entropy(0);
  gateway::Services services = ServicesWith(entropy, *engine_, instead);
  const Result<answer::Explanation> told = gateway::ExplainQuery(request, services);
  if (!told.ok()) return told.error().public_message + told.error().hint;
  answer::Explanation whole = *told;
  whole.verbose = true;
  return answer::FormatText(whole) + answer::FormatJson(whole);
}

Result<plan::PrivatePlan> World::PlanOf(const gateway::Request& request) const {
  TACIT_TRY(const sql::Statement statement, sql::Parse(request.text));
  TACIT_TRY(const analysis::Facts facts,
            analysis::Analyze(sql::InZone(statement.query, request.zone), policy_, schema_,
                              sql::ZoneName(request.zone)));
  return plan::Compile(facts, policy_.privacy, request.wish);
}

std::string World::Ledger() const {
  std::string all;
  const Result<Done> read = ledger::ForEachRecord(
      (folder_ / "ledger.sqlite").string(),
      [&](const ledger::StoredRecord& record) -> Result<Done> {
        nlohmann::json body = nlohmann::json::parse(record.body);
        for (const char* random : {"time", "state", "seal", "ledger", "ledger_id"}) {
          body.erase(random);
        }
        all += body.dump() + "\n";
        return Done{};
      });
  Must(read.ok(), "the ledger cannot be read");
  return all;
}

}  // namespace tacit::neighbours
