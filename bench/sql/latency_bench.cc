// Where the time of a question goes when its rows take none: library calls, no process start.
//   latency_bench SUITE FOLDER

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "analysis/analyze.h"
#include "deployment.h"
#include "gateway/answer_query.h"
#include "gateway/charge_request.h"
#include "gateway/derive/own_shapes.h"
#include "gateway/kept/replays.h"
#include "sql/parse.h"

namespace {

using namespace tacit;

using Work = std::function<void(int)>;

struct Call {
  const char* name;
  Work work;
};

// The calls take turns, so that what the machine and its disk do meanwhile falls on all of them.
void ShowInTurns(const std::vector<Call>& calls, int count) {
  std::vector<std::vector<double>> times(calls.size());
  for (int i = 0; i < count; ++i) {
    for (size_t c = 0; c < calls.size(); ++c) {
      const auto start = std::chrono::steady_clock::now();
      calls[c].work(i);
      const auto took = std::chrono::steady_clock::now() - start;
      times[c].push_back(std::chrono::duration<double, std::milli>(took).count());
    }
  }
  for (size_t c = 0; c < calls.size(); ++c) {
    std::sort(times[c].begin(), times[c].end());
    std::printf("| %s | %.3f | %.3f |\n", calls[c].name, times[c][times[c].size() / 2],
                times[c][0]);
  }
}

void Show(const char* name, int count, const Work& work) { ShowInTurns({{name, work}}, count); }

// After so many charges the ledger's log has its size and is written from the start again.
constexpr int kFirstCharges = 1500;

gateway::Request Asked(std::string text) {
  return {.text = std::move(text), .analyst = "", .request_id = "", .wish = {}};
}

gateway::Request Question(int i) {
  return Asked("SELECT town, count(*), avg(income) FROM people WHERE age <> " +
               std::to_string(1000 + i) + " GROUP BY town");
}

gateway::Request Total(int i) {
  return Asked("SELECT sum(income) FROM people WHERE age <> " + std::to_string(1000 + i));
}

// Whose statement above the aggregates was never planned before.
gateway::Request NewForm(int i) {
  return Asked("SELECT town, count(*), avg(income) AS form_" + std::to_string(i) +
               " FROM people WHERE age <> " + std::to_string(2000 + i) + " GROUP BY town");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const bench::Suite suite = bench::Suite::Read(argv[1], 10'000, "");
  const std::string folder = argv[2];
  bench::Deployment::MakeRows(suite, folder);
  (void)bench::Deployment::Prepare(suite, folder);
  bench::Deployment deployment(suite, folder, true, 2);
  ledger::Ledger ledger = deployment.FreshLedger();
  gateway::Services services = deployment.Services(ledger);
  gateway::OwnShapes own_shapes;
  services.own_shapes = &own_shapes;
  std::printf("| library call | median, ms | fastest, ms |\n| --- | --- | --- |\n");
  const std::string bare = folder + "/bare";
  const int file = open(bare.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  const std::string page(4096, 'x');
  const Call sync{"a bare 4 KiB append + fsync", [&](int) {
                    TACIT_ASSERT(write(file, page.data(), page.size()) == 4096 && fsync(file) == 0);
                  }};
  Show("parse", 500, [&](int i) { TACIT_ASSERT(sql::Parse(Question(i).text).ok()); });
  Show("parse, analyse, plan", 500, [&](int i) {
    const auto statement = sql::Parse(Question(i).text).value();
    const auto facts = analysis::Analyze(statement.query, services.policy, services.schema).value();
    TACIT_ASSERT(plan::Compile(facts, services.policy.privacy, {}).ok());
  });
  Show("explain", 500,
       [&](int i) { TACIT_ASSERT(gateway::ExplainQuery(Question(i), services).ok()); });
  const auto plan_of = [&](int i) {
    const auto statement = sql::Parse(Question(i).text).value();
    const auto facts = analysis::Analyze(statement.query, services.policy, services.schema).value();
    return plan::Compile(facts, services.policy.privacy, {}).value();
  };
  ledger::Ledger charged = deployment.FreshLedger();
  std::vector<ledger::ChargeRequest> prices;
  for (int i = 0; i < kFirstCharges + 200; ++i) {
    prices.push_back(gateway::ChargeRequestOf(Question(i), plan_of(i), services.policy).value());
  }
  const auto charge = [&](int i) {
    TACIT_ASSERT(charged.Charge(prices[static_cast<size_t>(i)]).ok());
  };
  ShowInTurns({sync, {"charge, the log growing", charge}}, 200);
  for (int i = 200; i < kFirstCharges; ++i) charge(i);
  ShowInTurns({sync, {"charge", [&](int i) { charge(kFirstCharges + i); }}}, 200);
  close(file);
  unlink(bare.c_str());
  const auto ask = [&](const char* name, gateway::Request (*question)(int)) {
    Show(name, 50, [&](int i) { TACIT_ASSERT(gateway::AnswerQuery(question(i), services).ok()); });
  };
  ask("query, fresh, a sum over 10,000 rows", Total);
  ask("query, fresh, a count and an average by 50 keys", Question);
  ask("query, fresh, the same in another form each time", NewForm);
  ask("query, replayed", Question);
  // As a program that goes on keeps them.
  gateway::RecentOfEach<plan::PrivatePlan> plans({""}, {.count_max = 1024, .bytes_max = 64 << 20});
  gateway::Replays replays;
  const auto ask_first = [&] {
    for (int i = 0; i < 50; ++i) TACIT_ASSERT(gateway::AnswerQuery(Question(i), services).ok());
  };
  services.plans = &plans;
  ask_first();
  ask("query, replayed, planned before", Question);
  services.replays = &replays;
  ask_first();
  ask("query, replayed before, nothing charged since", Question);
  bench::Deployment::Clean(folder);
  return 0;
}
