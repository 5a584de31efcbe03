#include "owner/progress.h"

#include <chrono>

namespace tacit::owner {

Reporter::Reporter(engine::duckdb::Connection& connection, const std::string& table,
                   const Progress& progress) {
  if (!progress) return;
  thread_ = std::thread([this, &connection, table, progress] {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return finished_; })) {
      if (!progress(table, connection.Progress())) connection.Interrupt();
    }
  });
}

Reporter::~Reporter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool WasInterrupted(const engine::duckdb::Failure& failure) {
  return failure.type == DUCKDB_ERROR_INTERRUPT ||
         failure.text.find("INTERRUPT Error") != std::string::npos;
}

Error Interrupted(const std::string& what_is_so, const std::string& hint) {
  return Error{.code = ErrorCode::kInternal,
               .public_message = "interrupted: " + what_is_so,
               .hint = hint,
               .position = std::nullopt,
               .private_detail = ""};
}

std::optional<engine::duckdb::Failure> RunWithProgress(
    engine::duckdb::Connection& connection, const engine::duckdb::Connection::Statement& statement,
    const std::string& table, const Progress& progress,
    const engine::duckdb::Connection::ChunkReader& reader) {
  using engine::duckdb::Failure;
  std::optional<Failure> failure;
  {
    const Reporter reporter(connection, table, progress);
    failure = connection.Run(statement, nullptr, reader);
  }
  if (!failure && progress && !progress(table, 100)) return Failure{DUCKDB_ERROR_INTERRUPT, ""};
  return failure;
}

Progress Between(const Progress& whole, double from, double to) {
  if (!whole) return nullptr;
  return [=](const std::string& table, double percent) {
    return whole(table, percent < 0 ? percent : from + percent / 100 * (to - from));
  };
}

Progress PartOf(const Progress& whole, const std::vector<double>& weights, size_t part) {
  double all = 0, before = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    all += weights[i];
    if (i < part) before += weights[i];
  }
  if (all <= 0) return Between(whole, 0, 100);
  return Between(whole, 100 * before / all, 100 * (before + weights.at(part)) / all);
}

}  // namespace tacit::owner
