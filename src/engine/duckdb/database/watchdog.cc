#include "engine/duckdb/database/watchdog.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace tacit::engine::duckdb {
namespace {

using Clock = std::chrono::steady_clock;

// An interrupt that falls between two steps of a statement is lost: it is repeated until the
// statement is gone.
constexpr std::chrono::milliseconds kAgain{20};

// The thread that watches; it starts with the first statement and ends with the program.
class Watch {
 public:
  static Watch& Instance() {
    static Watch watch;
    return watch;
  }

  uint64_t Add(duckdb_connection connection, Clock::time_point due) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    const uint64_t ticket = ++last_ticket_;
    due_[ticket] = due;
    try {
      by_time_[{due, ticket}] = connection;
    } catch (...) {
      due_.erase(ticket);
      throw;
    }
    // Most statements are due after the thread wakes anyway, for one that is long gone.
    if (due < wakes_at_) changed_.notify_one();
    return ticket;
  }

  // When it returns, the connection is not touched any more.
  void Remove(uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    const auto found = due_.find(ticket);
    by_time_.erase({found->second, ticket});
    due_.erase(found);
  }

  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (by_time_.empty()) {
        wakes_at_ = Clock::time_point::max();
        changed_.wait(lock);
        continue;
      }
      const auto [key, connection] = *by_time_.begin();
      const auto [due, ticket] = key;
      if (Clock::now() < due) {
        wakes_at_ = due;
        changed_.wait_until(lock, due);
        continue;
      }
      duckdb_interrupt(connection);
      // Moved as it is: this thread has nobody to fail to.
      const Clock::time_point again = Clock::now() + kAgain;
      due_.find(ticket)->second = again;
      auto moved = by_time_.extract(by_time_.begin());
      moved.key() = {again, ticket};
      by_time_.insert(std::move(moved));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<Clock::time_point, uint64_t>, duckdb_connection> by_time_;
  std::unordered_map<uint64_t, Clock::time_point> due_;
  Clock::time_point wakes_at_ = Clock::time_point::max();
  uint64_t last_ticket_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

Watchdog::Watchdog(duckdb_connection connection, std::chrono::milliseconds deadline) {
  if (deadline.count() > 0) ticket_ = Watch::Instance().Add(connection, Clock::now() + deadline);
}

Watchdog::~Watchdog() {
  if (ticket_ != 0) Watch::Instance().Remove(ticket_);
}

}  // namespace tacit::engine::duckdb
