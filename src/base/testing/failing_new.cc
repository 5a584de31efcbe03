#include "base/testing/failing_new.h"

#include <cstdlib>
#include <new>

#include "base/process/memory_reserve.h"

namespace tacit::testing {
namespace {

struct Plan {
  int64_t left = 0;
  bool for_ever = false;
  bool failed = false;
};
thread_local Plan plan;

bool Fails() {
  if (MemoryIsAMust()) return false;  // the reserve has it
  if (plan.left == 0) return plan.for_ever && plan.failed;
  if (--plan.left > 0) return false;
  plan.failed = true;
  return true;
}

void* Allocate(size_t size) {
  if (Fails()) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

void* AllocateAligned(size_t size, std::align_val_t alignment) {
  if (Fails()) return nullptr;
  const auto unit = static_cast<size_t>(alignment);
  return std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void FailNew(int64_t nth, bool for_ever) {
  plan = {.left = nth, .for_ever = for_ever, .failed = false};
}

bool NewFailed() { return plan.failed; }

}  // namespace tacit::testing

using tacit::testing::Allocate;
using tacit::testing::AllocateAligned;
using tacit::testing::OrThrow;

void* operator new(size_t size) { return OrThrow(Allocate(size)); }
void* operator new[](size_t size) { return OrThrow(Allocate(size)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new(size_t size, std::align_val_t a) { return OrThrow(AllocateAligned(size, a)); }
void* operator new[](size_t size, std::align_val_t a) { return OrThrow(AllocateAligned(size, a)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
