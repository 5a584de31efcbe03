#include "world.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/analyze.h"
#include "answer/format.h"
#include "engine/duckdb/prepared_copy.h"
#include "ledger/inspect.h"
#include "owner/prepare.h"
#include "policy/load.h"
#include "sql/parse.h"

namespace tacit::neighbours {

const std::string kDeploymentKey(64, 'a');

namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void RunScript(engine::duckdb::Connection& connection, const std::string& script) {
  std::stringstream text(script);
  for (std::string statement; std::getline(text, statement, ';');) {
    if (statement.find_first_not_of(" \n") == std::string::npos) continue;
    const auto failure = connection.Execute(statement);
    ASSERT_FALSE(failure) << failure->text << "\n" << statement;
  }
}

}  // namespace

std::unique_ptr<World> World::Make(const std::string& name, const std::string& extra,
                                   bool prepared) {
  using engine::duckdb::Connection;
  using engine::duckdb::Database;
  const std::string databases = std::string(TACIT_SQL_TEST_FOLDER) + "/databases/" + name;
  std::unique_ptr<World> world(new World());
  std::string pattern = (std::filesystem::path(::testing::TempDir()) / "world-XXXXXX").string();
  world->folder_ = ::mkdtemp(pattern.data());
  const std::string path = (world->folder_ / "data.duckdb").string();
  {
    const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
    EXPECT_TRUE(database.ok());
    Result<Connection> connected = database->Connect();
    Connection connection = std::move(connected).value();
    RunScript(connection, ReadFile(databases + ".sql"));
    RunScript(connection, extra);
  }
  world->policy_ =
      policy::Parse(ReadFile(databases + ".yaml"), (world->folder_ / "tacit.yaml").string())
          .value();
  world->policy_.privacy.budget = {.epsilon = Epsilon(1'000'000, 1), .delta = Delta(1, 2)};
  world->engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(
      path, engine::duckdb::Limits{.threads = 1, .deadline = std::chrono::minutes(2)});
  world->schema_ = world->engine_->ReadSchema().value();
  if (prepared) world->Prepare();
  const std::string ledger = (world->folder_ / "ledger.sqlite").string();
  EXPECT_TRUE(ledger::Ledger::Create(ledger).ok());
  world->ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(ledger).value());
  return world;
}

void World::Prepare() {
  policy_.engine = policy::DuckdbEngine{.path = DataPath()};
  engine_.reset();
  const Result<std::vector<std::string>> done = owner::Prepare(policy_, kDeploymentKey, {});
  ASSERT_TRUE(done.ok()) << done.error().public_message;
  const auto copy = engine::duckdb::FindPreparedCopy(policy_, DataPath(), kDeploymentKey);
  ASSERT_TRUE(copy.has_value());
  engine_ = std::make_unique<engine::duckdb::DuckdbEngine>(
      copy->path, engine::duckdb::Limits{.threads = 1, .deadline = std::chrono::minutes(2)},
      copy->identity);
  engine::duckdb::MarkPrepared(*copy, policy_, schema_);
}

World::~World() {
  engine_.reset();
  ledger_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

World::Seen World::Ask(const gateway::Request& request, uint64_t seed) {
  tacit::testing::SeededEntropy entropy(seed);
  const gateway::AnswerShelf shelf("");
  gateway::Services services{.policy = policy_,
                             .schema = schema_,
                             .ledger = *ledger_,
                             .engine = *engine_,
                             .entropy = entropy,
                             .deployment_key = kDeploymentKey,
                             .shelf = shelf};
  const Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
  Seen seen;
  seen.answered = answer.ok();
  if (!answer.ok()) {
    const Error& error = answer.error();
    seen.said = std::to_string(static_cast<int>(error.code)) + error.public_message + error.hint +
                std::to_string(error.position.value_or(-1)) + error.rule;
    return seen;
  }
  answer::Answer told = *answer;
  seen.rows = std::move(told.rows);
  seen.cached = told.privacy.cached;
  told.rows.clear();
  told.privacy.receipt = told.privacy.receipt.substr(0, told.privacy.receipt.find(':'));
  seen.said = answer::FormatJson(told);
  return seen;
}

Result<plan::PrivatePlan> World::PlanOf(const gateway::Request& request) const {
  TACIT_TRY(const sql::Statement statement, sql::Parse(request.text));
  TACIT_TRY(const analysis::Facts facts, analysis::Analyze(statement.query, policy_, schema_));
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
  EXPECT_TRUE(read.ok());
  return all;
}

}  // namespace tacit::neighbours
