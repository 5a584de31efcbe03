// TRUST: kill -9 at random instants, with this process as the outside witness; processes and
// threads that race for the last epsilon.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "ledger/inspect.h"
#include "ledger/record/record.h"
#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using testing::Folder;
using testing::Number;
using testing::Sample;
using testing::SampleBy;

bool Long() { return std::getenv("TACIT_LONG") != nullptr; }

constexpr char kPrice[] = "0.001";

ChargeRequest NumberedRequest(int worker, int number) {
  const std::string name = std::to_string(worker) + "-" + std::to_string(number);
  ChargeRequest request = SampleBy("analyst" + std::to_string(worker), "question " + name, kPrice);
  request.request_id = name;
  request.limits.dataset.epsilon = 1000000;
  request.limits.analyst->epsilon = 1000000;
  return request;
}

// The victim: charges its numbered requests one after the other, stores, and tells the witness.
[[noreturn]] void ChargeForEver(const std::string& path, int worker, int number, int pipe) {
  Result<Ledger> opened = Ledger::Open(path);
  if (!opened.ok()) _exit(3);
  Ledger ledger = std::move(opened).value();
  for (;; ++number) {
    const ChargeRequest request = NumberedRequest(worker, number);
    const Result<Receipt> receipt = ledger.Charge(request);
    // The answer of a charge whose process was killed is lost; its id must not be charged again.
    const bool lost = !receipt.ok() && receipt.error().code == ErrorCode::kUnavailable &&
                      receipt.error().public_message.find("is not there") != std::string::npos;
    if (!receipt.ok() && !lost) _exit(4);
    std::ostringstream line;
    line << number << " ";
    if (lost) {
      line << "lost\n";
    } else {
      line << receipt->sequence << ":" << receipt->hash << "\n";
    }
    if (!lost && receipt->charged()) {
      if (!ledger.Store(*receipt, 0, "answer").ok()) _exit(5);
    }
    const std::string text = line.str();
    if (write(pipe, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(6);
  }
}

struct Victim {
  pid_t process = 0;
  int pipe = 0;
};

Victim Start(const std::string& path, int worker, int number) {
  int ends[2];
  TACIT_ASSERT(pipe(ends) == 0);
  const pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    ChargeForEver(path, worker, number, ends[1]);
  }
  close(ends[1]);
  return {.process = process, .pipe = ends[0]};
}

// Listens until the victim has reported `lines` charges, or to the end.
std::string Hear(int pipe, int64_t lines) {
  std::string heard;
  char byte = 0;
  while (lines > 0 && read(pipe, &byte, 1) == 1) {
    heard += byte;
    if (byte == '\n') --lines;
  }
  return heard;
}

TEST(LedgerCrash, KillingAtRandomInstantsLosesNoReceiptAndChargesNoIdTwice) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  std::mt19937 random(7);
  constexpr int kWorkers = 2;
  int next[kWorkers] = {0, 0};
  std::map<int64_t, std::string> witnessed;  // every receipt that came out
  const int rounds = Long() ? 3000 : 100;
  for (int round = 0; round < rounds; ++round) {
    Victim victims[kWorkers];
    for (int worker = 0; worker < kWorkers; ++worker) {
      victims[worker] = Start(folder.ledger(), worker, next[worker]);
    }
    // Some die while they open the ledger, the others in the middle of some charge.
    std::string heard =
        Hear(victims[0].pipe, round % 5 == 0 ? 0 : static_cast<int64_t>(1 + random() % 6));
    usleep(static_cast<useconds_t>(random() % 15000));
    for (const Victim& victim : victims) kill(victim.process, SIGKILL);
    for (int worker = 0; worker < kWorkers; ++worker) {
      int status = 0;
      ASSERT_EQ(waitpid(victims[worker].process, &status, 0), victims[worker].process);
      ASSERT_TRUE(WIFSIGNALED(status)) << "the victim gave up: exit " << WEXITSTATUS(status);
      heard += Hear(victims[worker].pipe, std::numeric_limits<int64_t>::max());
      close(victims[worker].pipe);
      std::istringstream lines(std::exchange(heard, ""));
      int number = 0;
      for (std::string receipt; lines >> number >> receipt; next[worker] = number + 1) {
        if (receipt == "lost") continue;
        const size_t colon = receipt.find(':');
        witnessed[std::stoll(receipt)] = receipt.substr(colon + 1);
      }
    }
    const Result<Ledger> open = Ledger::Open(folder.ledger());
    ASSERT_TRUE(open.ok()) << open.error().public_message << " in round " << round;
    if (round % 10 == 9) {
      ASSERT_EQ(Verify(folder.ledger())->fault, "") << "in round " << round;
    }
  }
  std::set<std::string> ids;
  int64_t charges = 0;
  size_t found = 0;
  ASSERT_TRUE(ForEachRecord(folder.ledger(), [&](const StoredRecord& stored) -> Result<Done> {
                const Record record = ReadRecord(stored.body).value();
                const ChargeAct* charge = std::get_if<ChargeAct>(&record.act);
                if (charge == nullptr) return Done{};
                ++charges;
                EXPECT_TRUE(ids.insert(charge->request_id).second) << "charged twice";
                const auto known = witnessed.find(stored.sequence);
                if (known == witnessed.end()) return Done{};
                EXPECT_EQ(known->second, stored.hash);
                ++found;
                return Done{};
              }).ok());
  EXPECT_EQ(found, witnessed.size()) << "a receipt's record is gone";
  EXPECT_EQ(ReadAccounts(folder.ledger())->at(0).spent.epsilon, charges * Number(kPrice));
  EXPECT_GE(static_cast<size_t>(charges), witnessed.size());
  EXPECT_GT(witnessed.size(), 100u) << "the victims were killed before they charged";
  std::printf("rounds %d, receipts witnessed %zu, charges %lld\n", rounds, witnessed.size(),
              static_cast<long long>(charges));
}

// Threads of one process: half share a handle, half have their own.
int RaceInThreads(const std::string& path, int process, int threads) {
  Ledger shared = Ledger::Open(path).value();
  std::vector<std::thread> running;
  std::atomic<int> granted = 0;
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      Ledger own = Ledger::Open(path).value();
      Ledger& ledger = thread % 2 == 0 ? shared : own;
      for (int i = 0; i < 30; ++i) {
        const std::string question =
            std::to_string(process) + "." + std::to_string(thread) + "." + std::to_string(i);
        const Result<Receipt> receipt = ledger.Charge(Sample(question));
        if (receipt.ok()) {
          ++granted;
        } else if (receipt.error().code == ErrorCode::kBudgetExhausted) {
          return;
        }
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  return granted;
}

TEST(LedgerRace, ProcessesAndThreadsSpendTheBudgetExactly) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  constexpr int kProcesses = 4;
  std::vector<pid_t> processes;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t process = fork();
    if (process == 0) _exit(RaceInThreads(folder.ledger(), i, 16));
    processes.push_back(process);
  }
  int granted = 0;
  for (const pid_t process : processes) {
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    ASSERT_TRUE(WIFEXITED(status));
    granted += WEXITSTATUS(status);
  }
  EXPECT_EQ(granted, 30) << "3 in all at 0.1 each";
  EXPECT_EQ(ReadAccounts(folder.ledger())->at(0).spent.epsilon, Number("3"));
  EXPECT_EQ(Verify(folder.ledger())->fault, "");
}

}  // namespace
}  // namespace tacit::ledger
