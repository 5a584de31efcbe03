#include "tacit/terminal/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/process/passing_folders.h"

namespace tacit::app {
namespace {

sigset_t Stopping() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

// What a question that was stopped has cost; nothing more is charged once this was said.
std::string StoppedSentence(ledger::Ledger& ledger) {
  const ledger::Work work = ledger.Stop();
  if (work.paid.IsZero()) return "stopped; nothing was charged";
  const bool pure = work.paid.rho == 0;
  const std::string paid =
      (pure ? "epsilon " + ToString(work.paid.epsilon) : "rho " + ToString(work.paid.rho)) +
      " was charged";
  if (work.unkept > 0) {
    return "stopped; " + paid +
           " and stays so. The answer was not kept: the same question would "
           "be charged again";
  }
  return "stopped; " + paid + ", and the answer is kept: the same question is free";
}

}  // namespace

struct Interrupt::Shared {
  std::mutex mutex;
  std::function<std::string()> sentence;  // empty: over, the signal is the system's again
};

Interrupt::Interrupt(std::string sentence) : shared_(std::make_shared<Shared>()) {
  shared_->sentence = [sentence = std::move(sentence)] { return sentence; };
  const sigset_t stopping = Stopping();
  ::pthread_sigmask(SIG_BLOCK, &stopping, nullptr);
  try {
    std::thread([shared = shared_] {
      const sigset_t awaited = Stopping();
      int signal = 0;
      ::sigwait(&awaited, &signal);
      const std::lock_guard lock(shared->mutex);
      RemovePassingFolders();
      if (shared->sentence) std::fprintf(stderr, "\n%s\n", shared->sentence().c_str());
      // No destructors: other threads are at work. As a shell reads an end by a signal.
      ::_exit(128 + signal);
    }).detach();
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &stopping, nullptr);  // ends without a word, as it would have
  }
}

Interrupt::~Interrupt() { Says({}); }

void Interrupt::Says(std::function<std::string()> sentence) {
  const std::lock_guard lock(shared_->mutex);
  shared_->sentence = std::move(sentence);
}

SaysWhatWasCharged::SaysWhatWasCharged(Interrupt& interrupt, ledger::Ledger& ledger)
    : interrupt_(interrupt) {
  interrupt_.Says([&ledger] { return StoppedSentence(ledger); });
}

SaysWhatWasCharged::~SaysWhatWasCharged() { interrupt_.Says({}); }

}  // namespace tacit::app
