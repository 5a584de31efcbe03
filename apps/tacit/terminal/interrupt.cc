#include "tacit/terminal/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

namespace tacit::app {
namespace {

sigset_t OnlyInterrupt() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

// As a shell reads an end by Ctrl-C.
constexpr int kExitInterrupted = 128 + SIGINT;

}  // namespace

struct Interrupt::Shared {
  std::mutex mutex;
  std::function<std::string()> sentence;  // empty: over, the signal is the system's again
};

Interrupt::Interrupt(std::string sentence) : shared_(std::make_shared<Shared>()) {
  shared_->sentence = [sentence = std::move(sentence)] { return sentence; };
  const sigset_t interrupt = OnlyInterrupt();
  ::pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
  try {
    std::thread([shared = shared_] {
      const sigset_t awaited = OnlyInterrupt();
      int signal = 0;
      ::sigwait(&awaited, &signal);
      const std::lock_guard lock(shared->mutex);
      if (shared->sentence) std::fprintf(stderr, "\n%s\n", shared->sentence().c_str());
      // No destructors: other threads are at work.
      ::_exit(kExitInterrupted);
    }).detach();
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);  // ends without a word, as it would have
  }
}

Interrupt::~Interrupt() { Says({}); }

void Interrupt::Says(std::function<std::string()> sentence) {
  const std::lock_guard lock(shared_->mutex);
  shared_->sentence = std::move(sentence);
}

}  // namespace tacit::app
