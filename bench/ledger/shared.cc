// One gateway of several on a ledger in PostgreSQL: bench/ledger/run starts many of them.
//   bench_shared_ledger create DSN FOLDER
//   bench_shared_ledger charge DSN FOLDER GATEWAY SECONDS THREADS [keep]   prints how many it
//   charged bench_shared_ledger count DSN FOLDER                            prints how many there
//   are, verified
// `keep`: the answers, of a kilobyte, are stored as well.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "ledger/inspect.h"
#include "ledger/testing/sample.h"

namespace {

using namespace tacit::ledger;

ChargeRequest Fresh(const std::string& question) {
  ChargeRequest request = testing::SampleBy("ana", question, "0.0001");
  request.request_id = question;
  request.limits.dataset.epsilon = 1000000;
  request.limits.analyst->epsilon = 1000000;
  return request;
}

int Fail(const tacit::Error& error) {
  std::fprintf(stderr, "%s (%s)\n", error.public_message.c_str(), error.private_detail.c_str());
  return 1;
}

int Charge(const Place& first, const std::string& name, double seconds, int threads, bool keep) {
  const Place own(*first.server, first.path + "-of-" + name);
  tacit::Result<Ledger> known = Ledger::Open(first);
  if (!known.ok()) return Fail(known.error());
  const tacit::Result<Head> head = std::move(known).value().ReadHead();
  if (!head.ok()) return Fail(head.error());
  if (const auto joined = Join(own, *head); !joined.ok()) return Fail(joined.error());
  tacit::Result<Ledger> opened = Ledger::Open(own);
  if (!opened.ok()) return Fail(opened.error());
  Ledger ledger = std::move(opened).value();
  std::puts("ready");
  std::fflush(stdout);
  if (std::getchar() == EOF) return 1;  // until all of them are
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::atomic<int64_t> charged = 0, failed = 0;
  std::vector<std::thread> clients;
  for (int client = 0; client < threads; ++client) {
    clients.emplace_back([&, client] {
      for (int i = 0; std::chrono::steady_clock::now() < until; ++i) {
        const tacit::Result<Receipt> receipt =
            ledger.Charge(Fresh(name + "." + std::to_string(client) + "." + std::to_string(i)));
        receipt.ok() && receipt->charged() ? ++charged : ++failed;
        if (receipt.ok() && keep) (void)ledger.Store(*receipt, 0, std::string(1000, 'x')).ok();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  std::printf("%lld %lld\n", static_cast<long long>(charged), static_cast<long long>(failed));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string what = argv[1];
  const Place place(PostgresPlace{.dsn = argv[2]}, std::string(argv[3]) + "/ledger");
  if (what == "create") {
    const auto made = Ledger::Create(place);
    return made.ok() ? 0 : Fail(made.error());
  }
  if (what == "charge" && argc >= 7) {
    return Charge(place, argv[4], std::atof(argv[5]), std::atoi(argv[6]), argc > 7);
  }
  const tacit::Result<Verification> whole = Verify(place);
  if (!whole.ok()) return Fail(whole.error());
  std::printf("%lld %s\n", static_cast<long long>(whole->charges), whole->fault.c_str());
  return 0;
}
