#include "wire/deployment/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace tacit::wire {
namespace {

TEST(WorkerPool, AnalystsTakeTurnsHoweverMuchOneAsks) {
  std::vector<std::string> order;
  std::mutex mutex;
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  {
    WorkerPool pool({.workers = 1, .waiting_max = 100});
    ASSERT_TRUE(pool.Submit("first", [open](size_t) { open.wait(); }));
    const auto note = [&](const std::string& who) {
      return [&, who](size_t) {
        const std::lock_guard lock(mutex);
        order.push_back(who);
      };
    };
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.Submit("greedy", note("greedy")));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(pool.Submit("modest", note("modest")));
    gate.set_value();
  }
  ASSERT_EQ(order.size(), 12u);  // all that was taken on is done
  EXPECT_EQ(order[0], "greedy");
  EXPECT_EQ(order[1], "modest");
  EXPECT_EQ(order[2], "greedy");
  EXPECT_EQ(order[3], "modest");
}

TEST(WorkerPool, OneAnalystLeavesAWorkerForOthers) {
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  WorkerPool pool({.workers = 3, .waiting_max = 100});
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(pool.Submit("slow", [open](size_t) { open.wait(); }));
  }
  std::promise<void> answered;
  ASSERT_TRUE(pool.Submit("quick", [&](size_t) { answered.set_value(); }));
  EXPECT_EQ(answered.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  gate.set_value();
}

TEST(WorkerPool, TooManyWaitingAreRefused) {
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  WorkerPool pool({.workers = 1, .waiting_max = 2});
  int taken = 0;
  for (int i = 0; i < 10; ++i) taken += pool.Submit("a", [open](size_t) { open.wait(); }) ? 1 : 0;
  EXPECT_LE(taken, 3);
  EXPECT_TRUE(pool.Submit("b", [open](size_t) { open.wait(); }));
  gate.set_value();
}

TEST(WorkerPool, WhatAJobThrowsEndsThatJobAlone) {
  std::atomic<int> done = 0;
  {
    WorkerPool pool({.workers = 2, .waiting_max = 100});
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(pool.Submit("ana", [](size_t) { throw std::bad_alloc(); }));
      ASSERT_TRUE(pool.Submit("ana", [](size_t) { throw 17; }));
      ASSERT_TRUE(pool.Submit("ana", [&](size_t) { ++done; }));
    }
  }
  EXPECT_EQ(done, 10);
}

TEST(WorkerPool, WhoWaitsForAJobThatThrowsLearnsThatItIsGone) {
  WorkerPool pool({.workers = 1, .waiting_max = 100});
  auto promise = std::make_shared<std::promise<int>>();
  std::future<int> answer = promise->get_future();
  ASSERT_TRUE(pool.Submit("ana", [promise = std::move(promise)](size_t) mutable {
    const auto mine = std::move(promise);
    throw std::bad_alloc();
  }));
  EXPECT_THROW(answer.get(), std::future_error);
}

}  // namespace
}  // namespace tacit::wire
