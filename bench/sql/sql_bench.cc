// What privacy costs beside the plain query, on the same DuckDB and the same rows.
//   sql_bench make SUITE FOLDER ROWS SOURCE          makes the tables and prepares them
//   sql_bench ask  SUITE FOLDER ROWS SOURCE ROUNDS [NAME]    measures; lines of a table
//   sql_bench in_place SUITE FOLDER ROWS SOURCE ROUNDS [NAME]    the same, and nothing is prepared
//   sql_bench once SUITE FOLDER ROWS SOURCE NAME plain|tacit|unprepared|rewriting|sql [TIMES]
//     for a profiler: one way of one case in this process; sql prints what the engine is asked
//
// Every run is a process of its own: it opens the tables, asks once to warm up, and is measured
// afterwards. Plain, Tacit and the rewriting that other systems use take turns, so that what else
// the machine does falls on all of them. Medians; the memory is the process's largest.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>

#include "deployment.h"
#include "engine/duckdb/statement/statements.h"
#include "gateway/answer_query.h"
#include "gateway/charge_request.h"

namespace {

using namespace tacit;

constexpr int kThreads = 2;
// Short questions are asked several times in a process, until this much time is over.
constexpr double kSecondsEach = 0.3;
constexpr int kTimesMax = 7;

struct Measured {
  double seconds = 0;  // wall clock of the whole call
  double cpu = 0;      // of all threads
  double megabytes = 0;
};

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double Cpu() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Column {
  std::vector<double> seconds, cpu, megabytes;
  void Add(const Measured& measured) {
    seconds.push_back(measured.seconds);
    cpu.push_back(measured.cpu);
    megabytes.push_back(measured.megabytes);
  }
};

Measured Timed(int times, const std::function<void()>& work) {
  Column column;
  const double started = Now();
  do {
    const double wall = Now();
    const double cpu = Cpu();
    work();
    column.Add({.seconds = Now() - wall, .cpu = Cpu() - cpu});
  } while (static_cast<int>(column.seconds.size()) < times && Now() - started < kSecondsEach);
  return {.seconds = Median(column.seconds), .cpu = Median(column.cpu)};
}

// In a child, so that memory is its own and nothing of one run is left for the next.
Measured InChild(const std::function<Measured()>& work) {
  int ends[2];
  TACIT_ASSERT(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const Measured measured = work();
    std::fflush(nullptr);
    const bool good = write(ends[1], &measured, sizeof measured) == sizeof measured;
    _exit(good ? 0 : 1);
  }
  close(ends[1]);
  Measured measured;
  const bool answered = read(ends[0], &measured, sizeof measured) == sizeof measured;
  close(ends[0]);
  rusage usage = {};
  int status = 0;
  TACIT_ASSERT(wait4(child, &status, 0, &usage) == child);
  if (!answered || status != 0) return {.seconds = -1};  // the child said why
  measured.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return measured;
}

Measured RunPlain(const std::string& folder, const std::string& sql, int times) {
  using namespace engine::duckdb;
  const std::string files = folder + "/files";
  const bool reads_files = std::filesystem::exists(files);
  const Database database =
      (reads_files ? Database::OpenForImport(":memory:", {.threads = kThreads})
                   : Database::OpenReadOnly(folder + "/data.duckdb", {.threads = kThreads}))
          .value();
  Connection connection = database.Connect().value();
  if (reads_files) {
    for (const auto& table : std::filesystem::directory_iterator(files)) {
      const auto failure = connection.Execute("CREATE VIEW " + table.path().filename().string() +
                                              " AS SELECT * FROM read_parquet('" +
                                              table.path().string() + "/*.parquet')");
      TACIT_ASSERT(!failure);
    }
  }
  const auto ask = [&] {
    engine::ResultTable table;
    const auto failure = connection.Query({.sql = sql}, 1'000'000, &table);
    if (failure) std::fprintf(stderr, "%s\n%s\n", failure->text.c_str(), sql.c_str());
    TACIT_ASSERT(!failure);
  };
  if (times > 1) ask();
  return Timed(times, ask);
}

// A ledger in use: the first charge of a new one also makes its log and writes what it fixes.
ledger::Ledger UsedLedger(bench::Deployment& deployment, const gateway::Request& request) {
  ledger::Ledger ledger = deployment.FreshLedger();
  gateway::Services services = deployment.Services(ledger);
  const auto explained = gateway::ExplainQuery(request, services);
  if (!explained.ok()) return ledger;  // asking says why
  auto price = gateway::ChargeRequestOf(request, explained->plan, services.policy).value();
  for (ledger::ReleaseWish& wish : price.releases) {
    wish.fingerprint = "another question";
    wish.shape.clear();
  }
  const ledger::Receipt receipt = ledger.Charge(price).value();
  TACIT_ASSERT(ledger.Store(receipt, 0, "another answer").ok());
  return ledger;
}

Measured RunTacit(const bench::Suite& suite, const std::string& folder, const std::string& sql,
                  bool prepared, int times) {
  bench::Deployment deployment(suite, folder, prepared, kThreads);
  const gateway::Request request{.text = sql, .analyst = "", .request_id = "", .wish = {}};
  // A ledger for each time, or it would be a replay; made before, so that questions follow each
  // other as the plain ones do.
  std::vector<ledger::Ledger> ledgers;
  for (int i = 0; i <= times; ++i) ledgers.push_back(UsedLedger(deployment, request));
  size_t next = 0;
  const auto ask = [&] {
    gateway::Services services = deployment.Services(ledgers.at(next++));
    const Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
    if (!answer.ok()) {
      std::fprintf(stderr, "%s %s\n%s\n", answer.error().public_message.c_str(),
                   answer.error().private_detail.c_str(), sql.c_str());
    }
    TACIT_ASSERT(answer.ok());
  };
  if (times > 1) ask();
  return Timed(times, ask);
}

void Show(const bench::Case& test, const Column& plain, const Column& tacit,
          const Column& rewriting) {
  const double base = Median(plain.seconds);
  const double ratio = Median(tacit.seconds) / base;
  std::printf("| %s | %.1f | %.1f | %.2f | ", test.name.c_str(), 1e3 * base,
              1e3 * Median(tacit.seconds), ratio);
  if (test.goal > 0) std::printf("%s%.1f", ratio <= test.goal ? "" : "**missed** ", test.goal);
  std::printf(" | %.2f | ", Median(tacit.cpu) / std::max(1e-4, Median(plain.cpu)));
  if (rewriting.seconds.empty()) {
    std::printf("| | ");
  } else {
    std::printf("%.0f | %.1f | ", 1e3 * Median(rewriting.seconds),
                Median(rewriting.seconds) / Median(tacit.seconds));
  }
  std::printf("%.0f | %.0f |\n", Median(plain.megabytes), Median(tacit.megabytes));
  std::fflush(stdout);
}

int Make(const bench::Suite& suite, const std::string& folder) {
  // Each in a child: the first one's memory is not the second one's.
  const Measured made = InChild([&] {
    bench::Deployment::MakeRows(suite, folder);
    return Measured{};
  });
  if (made.seconds < 0) return 1;
  const Measured prepared = InChild([&] {
    const double before = Cpu();
    const bench::Preparation took = bench::Deployment::Prepare(suite, folder);
    const Measured measured{.seconds = took.seconds, .cpu = Cpu() - before};
    if (took.rows > 0) {
      std::printf("prepare took %.1f s, %.1f s of processor time, %.2f million rows/s\n",
                  took.seconds, measured.cpu, 1e-6 * static_cast<double>(took.rows) / took.seconds);
    }
    return measured;
  });
  return prepared.seconds < 0 ? 1 : 0;
}

int Ask(const bench::Suite& suite, const std::string& folder, int rounds, const std::string& only,
        bool prepared) {
  int failed = 0;
  for (const bench::Case& test : suite.cases) {
    if (test.name.find(only) == std::string::npos) continue;
    std::fprintf(stderr, "  %s\n", test.name.c_str());
    Column plain, tacit, rewriting;
    bool good = true;
    const auto add = [&](Column& column, const Measured& measured) {
      if (measured.seconds < 0) good = false;
      column.Add(measured);
    };
    for (int round = 0; round < rounds && good; ++round) {
      add(plain, InChild([&] { return RunPlain(folder, test.plain, kTimesMax); }));
      add(tacit, InChild([&] { return RunTacit(suite, folder, test.tacit, prepared, kTimesMax); }));
      // Seconds to minutes: once is enough to see how many times longer it takes.
      if (!test.rewriting.empty() && round == 0) {
        add(rewriting, InChild([&] { return RunPlain(folder, test.rewriting, 1); }));
      }
    }
    if (good) Show(test, plain, tacit, rewriting);
    if (!good) std::printf("| %s | failed | | | | | | | | |\n", test.name.c_str());
    failed += good ? 0 : 1;
  }
  bench::Deployment::Clean(folder);
  return failed == 0 ? 0 : 1;
}

// The statements that read rows.
void ShowSql(const bench::Suite& suite, const std::string& folder, const std::string& sql) {
  bench::Deployment deployment(suite, folder, true, kThreads);
  ledger::Ledger ledger = deployment.FreshLedger();
  gateway::Services services = deployment.Services(ledger);
  const gateway::Request request{.text = sql, .analyst = "", .request_id = "", .wish = {}};
  const auto explained = gateway::ExplainQuery(request, services).value();
  for (const plan::Release& release : explained.plan.releases) {
    const auto statements = engine::duckdb::StatementsOf(release.exact).value();
    std::printf("%s\n", statements.sql.c_str());
    if (statements.stream) std::printf("streamed: %s\n", statements.stream->rows_sql.c_str());
  }
  std::printf("above: %s\n", explained.plan.post_sql.c_str());
}

int Once(const bench::Suite& suite, const std::string& folder, const std::string& name,
         const std::string& way, int times) {
  for (const bench::Case& test : suite.cases) {
    if (test.name != name) continue;
    if (way == "sql") ShowSql(suite, folder, test.tacit);
    if (way == "sql") times = 0;
    for (int i = 0; i < times; ++i) {
      const Measured took = way == "plain" ? RunPlain(folder, test.plain, kTimesMax)
                            : way == "rewriting"
                                ? RunPlain(folder, test.rewriting, 1)
                                : RunTacit(suite, folder, test.tacit, way == "tacit", kTimesMax);
      std::printf("%s, %s: %.1f ms, %.1f ms of processor time\n", name.c_str(), way.c_str(),
                  1e3 * took.seconds, 1e3 * took.cpu);
    }
    bench::Deployment::Clean(folder);
    return 0;
  }
  std::fprintf(stderr, "no case is called %s\n", name.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int needed = what == "make" ? 6 : what == "ask" || what == "in_place" ? 7 : 8;
  if (argc < needed || (what != "make" && what != "ask" && what != "in_place" && what != "once")) {
    std::fprintf(stderr, "usage: sql_bench make|ask|in_place|once SUITE FOLDER ROWS SOURCE ...\n");
    return 2;
  }
  const std::string folder = argv[3];
  const bench::Suite suite = bench::Suite::Read(argv[2], std::atol(argv[4]), argv[5]);
  if (what == "make") return Make(suite, folder);
  if (what == "ask" || what == "in_place") {
    return Ask(suite, folder, std::atoi(argv[6]), argc > 7 ? argv[7] : "", what == "ask");
  }
  return Once(suite, folder, argv[6], argv[7], argc > 8 ? std::atoi(argv[8]) : 1);
}
