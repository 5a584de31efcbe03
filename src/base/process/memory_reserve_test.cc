#include "base/process/memory_reserve.h"

#include <gmp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <thread>

namespace tacit {
namespace {

// What operator new does when the system refuses: calls the handler, and asks again if it returns.
bool AsksAgain() {
  try {
    std::get_new_handler()();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TEST(MemoryReserve, IsForThoseWhoMustHaveMemoryOnly) {
  KeepMemoryAside();
  EXPECT_FALSE(AsksAgain()) << "a worker fails alone";
  {
    const MustHaveMemory must;
    EXPECT_TRUE(AsksAgain());
    {
      const MayLackMemory large;
      EXPECT_FALSE(AsksAgain());
    }
    EXPECT_TRUE(AsksAgain());
  }
  EXPECT_FALSE(AsksAgain());
}

TEST(MemoryReserve, RunsOutFailsAndIsReplenished) {
  KeepMemoryAside();
  const MustHaveMemory must;
  int given = 0;
  while (AsksAgain()) ASSERT_LT(++given, 10'000);  // then it waits a while, and gives up
  EXPECT_GE(given, 64);
  ReplenishMemoryAside();
  EXPECT_TRUE(AsksAgain());
}

// One that has waited for memory and got it waits as long the next time.
TEST(MemoryReserve, WaitsAnewInEveryShortage) {
  KeepMemoryAside();
  const MustHaveMemory must;
  constexpr int kReserved = 64, kOfAShortage = 150;  // of 400 waits, then it gives up
  for (int i = 0; i < kReserved; ++i) ASSERT_TRUE(AsksAgain());
  for (int shortage = 0; shortage < 4; ++shortage) {
    for (int i = 0; i < kOfAShortage; ++i) ASSERT_TRUE(AsksAgain()) << shortage << ", " << i;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ReplenishMemoryAside();
}

TEST(MemoryReserve, GmpAsksThroughIt) {
  KeepMemoryAside();
  void* (*allocate)(size_t) = nullptr;
  void* (*reallocate)(void*, size_t, size_t) = nullptr;
  void (*release)(void*, size_t) = nullptr;
  mp_get_memory_functions(&allocate, &reallocate, &release);
  void* const number = reallocate(allocate(8), 8, 64);
  ASSERT_NE(number, nullptr);
  release(number, 64);
  // Numbers made before it, and by the functions of before, are released by these.
  mpz_t power;
  mpz_init(power);
  mpz_ui_pow_ui(power, 7, 1000);
  EXPECT_EQ(mpz_fdiv_ui(power, 7), 0u);
  mpz_clear(power);
}

}  // namespace
}  // namespace tacit
