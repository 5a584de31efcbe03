// What privacy costs beside the plain aggregate, on the server that holds the rows.
//   engines_bench SUITE FOLDER ROWS ROUNDS PID...    asks
//   engines_bench prepare FOLDER DSN                 makes PostgreSQL's copies, as that role
// FOLDER has the tacit.yaml; PIDs are the server's, whose processor time is read with that of their
// children. A line of JSON for each question.
//
// The two take turns in one process, so that what else the machine does falls on both: medians of
// the wall clock, and sums of processor time, which the system counts in hundredths of a second.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engine/postgres/connection/connection.h"
#include "engine/trino/connection/connection.h"
#include "gateway/answer_query.h"
#include "gateway/deployment/open_engine.h"
#include "ledger/ledger.h"
#include "owner/prepare.h"
#include "policy/load.h"
#include "suite.h"

namespace {

using namespace tacit;

const std::string kKey(64, 'a');

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double OwnCpu() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of these processes, of their children, and of what children of theirs took before they ended.
double CpuOf(const std::set<int>& servers) {
  double ticks = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const size_t after_name = text.rfind(')');
    if (after_name == std::string::npos) continue;  // it has just ended
    std::istringstream words(text.substr(after_name + 2));
    std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
    // The state is the first of them, and field 3 in proc(5).
    const int parent = std::stoi(fields.at(1));
    if (!servers.contains(std::stoi(name)) && !servers.contains(parent)) continue;
    for (size_t i = 11; i <= 14; ++i) ticks += std::stod(fields.at(i));
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

struct Column {
  std::vector<double> seconds;
  double server_cpu = 0;
  double own_cpu = 0;

  double Median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.at(sorted.size() / 2);
  }
  double ServerCpu() const { return server_cpu / static_cast<double>(seconds.size()); }
  double OwnCpu() const { return own_cpu / static_cast<double>(seconds.size()); }
};

void Time(const std::set<int>& servers, Column& column, const std::function<void()>& work) {
  const double server = CpuOf(servers);
  const double own = OwnCpu();
  const double wall = Now();
  work();
  column.seconds.push_back(Now() - wall);
  column.own_cpu += OwnCpu() - own;
  column.server_cpu += CpuOf(servers) - server;
}

[[noreturn]] void Fail(const std::string& why, const std::string& sql) {
  std::fprintf(stderr, "%s\n%s\n", why.c_str(), sql.c_str());
  std::exit(1);
}

// A session that asks plain questions.
std::function<void(const std::string&)> PlainOn(const policy::EngineSettings& engine) {
  if (const auto* server = std::get_if<policy::PostgresSettings>(&engine)) {
    namespace pg = engine::postgres;
    auto session = std::make_shared<pg::Connection>(pg::Connection::Open(*server, {}).value());
    if (session->Execute("SET search_path = public, pg_catalog")) Fail("no search_path", "");
    return [session](const std::string& sql) {
      std::optional<pg::Reply> reply;
      if (const auto failure = session->Query(sql, {}, &reply)) Fail(failure->text, sql);
    };
  }
  namespace trino = engine::trino;
  const auto& cluster = std::get<policy::TrinoSettings>(engine);
  auto session = std::make_shared<trino::Connection>(trino::Connection::Open(cluster, {}).value());
  return [session](const std::string& sql) {
    trino::Reply reply;
    const auto failure = session->Query(sql, std::chrono::minutes(5), reply);
    if (failure) Fail(failure->text, sql);
  };
}

class Gateway {
 public:
  Gateway(policy::Policy policy, std::string folder)
      : folder_(std::move(folder)), policy_(std::move(policy)), kept_(folder_ + "/answers") {
    Result<gateway::StoredData> stored = gateway::FindStoredData(policy_, kKey);
    if (!stored.ok()) Fail(stored.error().public_message, stored.error().private_detail);
    schema_ = stored->schema;
    engine_ = gateway::MakeEngine(policy_, *stored);
  }

  // A ledger for each time, or it would be a replay; made before the clock starts.
  ledger::Ledger FreshLedger() {
    const std::string path = folder_ + "/ledger-" + std::to_string(++ledgers_) + ".sqlite";
    TACIT_ASSERT(ledger::Ledger::Create(path).ok());
    return ledger::Ledger::Open(path).value();
  }

  void Ask(const std::string& sql, ledger::Ledger& ledger) {
    gateway::Services services{.policy = policy_,
                               .schema = schema_,
                               .ledger = ledger,
                               .engine = *engine_,
                               .entropy = Entropy::ForThisThread(),
                               .deployment_key = kKey,
                               .kept_results = kept_,
                               .gate = nullptr,
                               .instances = &instances_};
    const gateway::Request request{.text = sql, .analyst = "", .request_id = "", .wish = {}};
    const Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
    engine_->EndQuestion();
    if (!answer.ok())
      Fail(answer.error().public_message + " " + answer.error().private_detail, sql);
  }

 private:
  std::string folder_;
  policy::Policy policy_;
  policy::Schema schema_;
  gateway::KeptResults kept_;
  std::unique_ptr<engine::Engine> engine_;
  engine::duckdb::PostProcessingPool instances_{1};
  int ledgers_ = 0;
};

policy::Policy PolicyIn(const std::string& folder) {
  std::ifstream file(folder + "/tacit.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Result<policy::Policy> policy = policy::Parse(text, folder + "/tacit.yaml");
  if (!policy.ok()) Fail(policy.error().public_message, "");
  return std::move(policy).value();
}

int Prepare(const std::string& folder, const std::string& dsn) {
  const policy::Policy policy = PolicyIn(folder);
  policy::PostgresSettings writer = std::get<policy::PostgresSettings>(policy.engine);
  writer.dsn = dsn;
  const double started = Now();
  const auto tables = owner::PrepareOnServer(policy, writer, kKey, {});
  if (!tables.ok()) Fail(tables.error().public_message, tables.error().hint);
  std::printf("%.1f\n", Now() - started);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "prepare") return Prepare(argv[2], argv[3]);
  if (argc < 6) {
    std::fprintf(stderr, "usage: engines_bench SUITE FOLDER ROWS ROUNDS PID...\n");
    return 2;
  }
  const std::string folder = argv[2];
  const bench::Suite suite = bench::Suite::Read(argv[1], std::atol(argv[3]), "");
  const int rounds = std::atoi(argv[4]);
  std::set<int> servers;
  for (int i = 5; i < argc; ++i) servers.insert(std::atoi(argv[i]));
  const policy::Policy policy = PolicyIn(folder);
  const auto plain = PlainOn(policy.engine);
  Gateway gateway(policy, folder);
  for (const bench::Case& test : suite.cases) {
    Column alone, tacit;
    for (int round = 0; round <= rounds; ++round) {
      Column unused;  // the first time warms up
      ledger::Ledger ledger = gateway.FreshLedger();
      Time(servers, round == 0 ? unused : alone, [&] { plain(test.plain); });
      Time(servers, round == 0 ? unused : tacit, [&] { gateway.Ask(test.tacit, ledger); });
    }
    const nlohmann::json line = {
        {"name", test.name},
        {"plain", {{"wall", alone.Median()}, {"cpu", alone.ServerCpu()}}},
        {"tacit",
         {{"wall", tacit.Median()}, {"cpu", tacit.ServerCpu()}, {"gateway", tacit.OwnCpu()}}}};
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }
  return 0;
}
