#include "base/process/memory_reserve.h"

#include <gmp.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

namespace tacit {
namespace {

// Why these: what all the connections that are allowed need for a moment, in blocks below the size
// at which the allocator gives memory back to the system.
constexpr size_t kBlocks = 64, kBlockBytes = size_t{64} * 1024;

// Why two seconds: a question that fails gives back what it had within that.
constexpr int kWaitsMax = 400;
constexpr timespec kWait = {.tv_sec = 0, .tv_nsec = 5'000'000};
// Why 50: one that is refused asks again at once.
constexpr int64_t kOtherShortageAfterMs = 50;

std::array<std::atomic<void*>, kBlocks> blocks;
std::atomic<bool> lacks_some = false;
thread_local bool must_have = false;

bool GiveOneAway() {
  for (std::atomic<void*>& block : blocks) {
    void* const taken = block.exchange(nullptr);
    if (taken == nullptr) continue;
    lacks_some = true;
    std::free(taken);
    return true;
  }
  return false;
}

// Whether asking again makes sense.
bool MemoryMayBeBack(int& waits) {
  if (GiveOneAway()) return true;
  if (++waits > kWaitsMax) return false;
  ::nanosleep(&kWait, nullptr);
  return true;
}

int64_t MillisecondsNow() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// operator new calls it until there is memory, and does not say when there was: that is known by
// the time between two calls. Without it the waits of a thread's whole life would count as one.
void OnRefusal() {
  thread_local int waits = 0;
  thread_local int64_t last = 0;
  if (MillisecondsNow() - last > kOtherShortageAfterMs) waits = 0;
  if (!must_have || !MemoryMayBeBack(waits)) {
    waits = 0;
    throw std::bad_alloc();
  }
  last = MillisecondsNow();
}

template <class Ask>
void* AskForGmp(Ask ask) {
  int waits = 0;
  while (true) {
    if (void* const given = ask()) return given;
    if (MemoryMayBeBack(waits)) continue;
    std::fputs("tacit: no memory for a number\n", stderr);
    std::abort();  // GMP has no other way
  }
}

}  // namespace

void KeepMemoryAside() {
  lacks_some = true;
  ReplenishMemoryAside();
  std::set_new_handler(OnRefusal);
  mp_set_memory_functions([](size_t size) { return AskForGmp([=] { return std::malloc(size); }); },
                          [](void* old, size_t, size_t size) {
                            return AskForGmp([=] { return std::realloc(old, size); });
                          },
                          [](void* old, size_t) { std::free(old); });
}

void ReplenishMemoryAside() {
  if (!lacks_some.exchange(false)) return;
  for (std::atomic<void*>& block : blocks) {
    if (block.load() != nullptr) continue;
    void* made = std::malloc(kBlockBytes);
    void* nothing = nullptr;
    if (made == nullptr || !block.compare_exchange_strong(nothing, made)) std::free(made);
    if (block.load() == nullptr) lacks_some = true;
  }
}

MustHaveMemory::MustHaveMemory() : before_(std::exchange(must_have, true)) {}
MustHaveMemory::~MustHaveMemory() { must_have = before_; }

bool MemoryIsAMust() { return must_have; }

MayLackMemory::MayLackMemory() : before_(std::exchange(must_have, false)) {}
MayLackMemory::~MayLackMemory() { must_have = before_; }

}  // namespace tacit
