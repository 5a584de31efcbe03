#pragma once

#include <boost/asio.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "base/process/memory_reserve.h"

namespace tacit::wire {

// Runs `wake` on the executor's thread when it is destroyed: for a job of another thread that
// somebody waits for, so that they learn of its end however it ends. That cannot fail, only take
// until there is memory for it.
class Waker {
 public:
  Waker(boost::asio::any_io_executor executor, std::function<void()> wake)
      : executor_(std::move(executor)), wake_(std::move(wake)) {}
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  ~Waker() {
    const MustHaveMemory must;
    // Shared, because what is posted is copied and moved, and each try must leave it whole.
    while (!TryToPost()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

 private:
  bool TryToPost() noexcept {
    try {
      boost::asio::post(executor_, wake_);
      return true;
    } catch (...) {
      return false;
    }
  }

  boost::asio::any_io_executor executor_;
  std::function<void()> wake_;
};

}  // namespace tacit::wire
