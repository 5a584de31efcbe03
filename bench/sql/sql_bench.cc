// What privacy costs beside the plain query, on the same DuckDB and the same rows.
//   sql_bench FOLDER ROWS [ROUNDS]
//
// Every run is a process of its own: it opens the data, asks once to warm up, and is measured the
// second time. Plain, Tacit and the rewriting that other systems use take turns, so that what else
// the machine does falls on all of them. Medians; the memory is the process's largest.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "deployment.h"
#include "gateway/answer_query.h"

namespace {

using namespace tacit;

constexpr int kThreads = 2;

struct Case {
  const char* name;
  std::string tacit;
  std::string plain;      // over the tables as imported
  std::string rewriting;  // the same with caps by ROW_NUMBER; empty where there is nothing to cap
};

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

Measured Timed(const std::function<void()>& work) {
  const double wall = Now();
  const double cpu = Cpu();
  work();
  return {.seconds = Now() - wall, .cpu = Cpu() - cpu};
}

// In a child, so that memory is its own and nothing of one run is left for the next.
Measured InChild(const std::function<Measured()>& work) {
  int ends[2];
  TACIT_ASSERT(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const Measured measured = work();
    const bool good = write(ends[1], &measured, sizeof measured) == sizeof measured;
    _exit(good ? 0 : 1);
  }
  close(ends[1]);
  Measured measured;
  TACIT_ASSERT(read(ends[0], &measured, sizeof measured) == sizeof measured);
  close(ends[0]);
  rusage usage = {};
  int status = 0;
  TACIT_ASSERT(wait4(child, &status, 0, &usage) == child && status == 0);
  measured.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return measured;
}

Measured RunPlain(const std::string& folder, const std::string& sql) {
  using namespace engine::duckdb;
  const Database database =
      Database::OpenReadOnly(folder + "/data.duckdb", {.threads = kThreads}).value();
  Connection connection = database.Connect().value();
  const auto ask = [&] {
    engine::ResultTable table;
    const auto failure = connection.Query({.sql = sql}, 1'000'000, &table);
    if (failure) std::fprintf(stderr, "%s\n%s\n", failure->text.c_str(), sql.c_str());
    TACIT_ASSERT(!failure);
  };
  ask();
  return Timed(ask);
}

Measured RunTacit(const std::string& folder, const std::string& sql, bool prepared) {
  bench::Deployment deployment(folder, prepared, kThreads);
  const gateway::Request request{.text = sql, .analyst = "", .request_id = "", .wish = {}};
  const auto ask = [&](ledger::Ledger& ledger) {
    gateway::Services services = deployment.Services(ledger);
    const Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
    if (!answer.ok()) {
      std::fprintf(stderr, "%s %s\n", answer.error().public_message.c_str(),
                   answer.error().private_detail.c_str());
    }
    TACIT_ASSERT(answer.ok());
  };
  ledger::Ledger first = deployment.FreshLedger();
  ask(first);
  ledger::Ledger second = deployment.FreshLedger();
  return Timed([&] { ask(second); });
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

std::string RowCap(const std::string& items, const std::string& tail) {
  return "SELECT " + items +
         " FROM (SELECT *, row_number() OVER (PARTITION BY uid ORDER BY random()) AS n FROM "
         "events) WHERE n <= 20" +
         tail;
}

std::string GroupCap(const std::string& key) {
  return "SELECT " + key + ", sum(rows), sum(total) FROM (SELECT uid, " + key +
         ", least(count(*), 2) AS rows, sum(least(greatest(amount, 0), 1000)) AS total, "
         "row_number() OVER (PARTITION BY uid ORDER BY random()) AS n FROM purchases GROUP BY "
         "uid, " +
         key + ") WHERE n <= 3 GROUP BY " + key;
}

std::vector<Case> Cases() {
  const auto same = [](const char* name, const std::string& sql) {
    return Case{name, sql, sql, ""};
  };
  std::vector<Case> cases = {
      same("count", "SELECT count(*) FROM people"),
      same("sum", "SELECT sum(income) FROM people"),
      same("avg", "SELECT avg(income) FROM people"),
      same("count, filter", "SELECT count(*) FROM people WHERE age >= 40"),
      same("sum, filter", "SELECT sum(income) FROM people WHERE age >= 40"),
      same("count by 50 keys", "SELECT town, count(*) FROM people GROUP BY town"),
      same("avg by 50 keys", "SELECT town, avg(income) FROM people GROUP BY town"),
      same("sum of expression", "SELECT sum(income / 12) FROM people"),
      {"row cap: count", "SELECT count(*) FROM events", "SELECT count(*) FROM events",
       RowCap("count(*)", "")},
      {"row cap: sum", "SELECT sum(amount) FROM events", "SELECT sum(amount) FROM events",
       RowCap("sum(least(greatest(amount, 0), 1000))", "")},
      {"row cap: sum by 100 keys", "SELECT hundred, sum(amount) FROM events GROUP BY hundred",
       "SELECT hundred, sum(amount) FROM events GROUP BY hundred",
       RowCap("hundred, sum(least(greatest(amount, 0), 1000))", " GROUP BY hundred")},
      {"row cap: people", "SELECT count(DISTINCT uid) FROM events",
       "SELECT count(DISTINCT uid) FROM events", ""},
      {"row cap: sum a person, then avg",
       "SELECT avg(s) FROM (SELECT uid, sum(amount) AS s FROM events GROUP BY uid) q",
       "SELECT avg(s) FROM (SELECT uid, sum(amount) AS s FROM events GROUP BY uid) q", ""},
      {"join on the person: count by town",
       "SELECT town, count(*) FROM people JOIN events ON pid = uid GROUP BY town",
       "SELECT town, count(*) FROM people JOIN events ON pid = uid GROUP BY town", ""},
  };
  for (const std::string key : {"ten", "hundred", "many"}) {
    const std::string sql =
        "SELECT " + key + ", count(*), sum(amount) FROM purchases GROUP BY " + key;
    const char* name = key == "ten"       ? "group cap: 10 keys"
                       : key == "hundred" ? "group cap: 100 keys"
                                          : "group cap: 10,000 keys";
    cases.push_back({name, sql, sql, GroupCap(key)});
  }
  return cases;
}

void Show(const Case& test, const Column& plain, const Column& tacit, const Column& rewriting) {
  const double base = Median(plain.seconds);
  std::printf("| %s | %.0f | %.0f | %.2f | %.2f | ", test.name, 1e3 * base,
              1e3 * Median(tacit.seconds), Median(tacit.seconds) / base,
              Median(tacit.cpu) / std::max(1e-3, Median(plain.cpu)));
  if (rewriting.seconds.empty()) {
    std::printf("| | ");
  } else {
    std::printf("%.0f | %.1f | ", 1e3 * Median(rewriting.seconds),
                Median(rewriting.seconds) / base);
  }
  std::printf("%.0f | %.0f |\n", Median(plain.megabytes), Median(tacit.megabytes));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: sql_bench FOLDER ROWS [ROUNDS [NAME]]\n");
    return 2;
  }
  const int64_t rows = std::atoll(argv[2]);
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  const std::string only = argc > 4 ? argv[4] : "";
  // In a child too: a process that has loaded the engine must not fork.
  const std::string base = argv[1];
  const std::string folder = base + "/" + std::to_string(rows);
  const Measured made = InChild([&] {
    double seconds = 0;
    bench::Deployment::Make(base, rows, &seconds);
    return Measured{.seconds = seconds};
  });
  if (made.seconds > 0) {
    std::printf("prepare: %.1f s, %.2f million rows/s\n\n", made.seconds,
                3e-6 * static_cast<double>(rows) / made.seconds);
  }
  std::printf("%ld rows a table, %d threads, medians of %d\n\n", static_cast<long>(rows), kThreads,
              rounds);
  std::printf(
      "| query | plain, ms | Tacit, ms | ratio | CPU ratio | ROW_NUMBER, ms | its ratio | plain, "
      "MB "
      "| Tacit, MB |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const Case& test : Cases()) {
    if (std::string(test.name).find(only) == std::string::npos) continue;
    Column plain, tacit, rewriting;
    for (int round = 0; round < rounds; ++round) {
      plain.Add(InChild([&] { return RunPlain(folder, test.plain); }));
      tacit.Add(InChild([&] { return RunTacit(folder, test.tacit, true); }));
      if (!test.rewriting.empty() && round < std::min(rounds, 3)) {
        rewriting.Add(InChild([&] { return RunPlain(folder, test.rewriting); }));
      }
    }
    Show(test, plain, tacit, rewriting);
  }
  std::filesystem::remove_all(folder + "/answers");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("ledger-")) {
      std::filesystem::remove(entry.path());
    }
  }
  return 0;
}
