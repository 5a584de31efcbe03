#include "owner/progress.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace tacit::owner {

std::optional<engine::duckdb::Failure> RunWithProgress(
    engine::duckdb::Connection& connection, const engine::duckdb::Connection::Statement& statement,
    const std::string& table, const Progress& progress,
    const engine::duckdb::Connection::ChunkReader& reader) {
  using engine::duckdb::Failure;
  if (!progress) return connection.Run(statement, nullptr, reader);
  std::mutex mutex;
  std::condition_variable changed;
  bool finished = false;
  std::thread reporter([&] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(200), [&] { return finished; })) {
      if (!progress(table, connection.Progress())) connection.Interrupt();
    }
  });
  std::optional<Failure> failure = connection.Run(statement, nullptr, reader);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    finished = true;
  }
  changed.notify_all();
  reporter.join();
  if (!failure && !progress(table, 100)) return Failure{DUCKDB_ERROR_INTERRUPT, ""};
  return failure;
}

Progress Between(const Progress& whole, double from, double to) {
  if (!whole) return nullptr;
  return [=](const std::string& table, double percent) {
    return whole(table, percent < 0 ? percent : from + percent / 100 * (to - from));
  };
}

}  // namespace tacit::owner
