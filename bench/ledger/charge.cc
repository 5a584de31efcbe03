// What a charge costs beside the disk's own fsync: microseconds, median of many.
//   bench_ledger [FOLDER]     FOLDER on the disk to be measured; default: the temporary folder

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "ledger/inspect.h"
#include "ledger/testing/sample.h"

namespace {

using namespace tacit::ledger;

double MedianMicroseconds(int count, const std::function<void(int)>& work) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work(i);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    times.push_back(took.count());
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[static_cast<size_t>(count / 2)];
}

// Appending a page and waiting for it: the least that any durable record costs here.
double BareFsync(const std::string& path) {
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  const std::string page(4096, 'x');
  const double median = MedianMicroseconds(300, [&](int) {
    TACIT_ASSERT(write(file, page.data(), page.size()) == 4096 && fsync(file) == 0);
  });
  close(file);
  return median;
}

ChargeRequest Cheap(int i) {
  ChargeRequest request = testing::SampleBy("ana", "question " + std::to_string(i), "0.0001");
  request.limits.dataset.epsilon = 1000000;
  request.limits.analyst->epsilon = 1000000;
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) setenv("TMPDIR", argv[1], 1);
  const testing::Folder folder;
  std::printf("%-34s %10s\n", "median of", "us");
  std::printf("%-34s %10.1f\n", "a bare 4 KiB append + fsync", BareFsync(folder.path() + "/bare"));
  Ledger ledger = testing::MakeLedger(folder);
  std::vector<Receipt> receipts;
  std::printf("%-34s %10.1f\n", "charge", MedianMicroseconds(2000, [&](int i) {
                receipts.push_back(ledger.Charge(Cheap(i)).value());
              }));
  std::printf("%-34s %10.1f\n", "store an answer of 1 kB", MedianMicroseconds(2000, [&](int i) {
                TACIT_ASSERT(
                    ledger.Store(receipts[static_cast<size_t>(i)], 0, std::string(1000, 'x')).ok());
              }));
  std::printf("%-34s %10.1f\n", "replay", MedianMicroseconds(2000, [&](int i) {
                TACIT_ASSERT(!ledger.Charge(Cheap(i)).value().charged());
              }));
  std::printf("%-34s %10.1f\n", "open, 2000 charges, answers", MedianMicroseconds(100, [&](int) {
                TACIT_ASSERT(Ledger::Open(folder.ledger()).ok());
              }));
  std::printf("%-34s %10.1f\n", "verify, 2000 charges, answers", MedianMicroseconds(5, [&](int) {
                TACIT_ASSERT(Verify(folder.ledger())->fault.empty());
              }));
  return 0;
}
