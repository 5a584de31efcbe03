#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/duckdb/database/database.h"

namespace tacit::owner {

// Called a few times a second while a table is stored: its name, and percent (below 0: unknown).
// Returning false ends the work.
using Progress = std::function<bool(const std::string& table, double percent)>;

// As long as it lives, another thread reports how far the session's statement is, and interrupts it
// when told to. Statements that follow each other are interrupted one after the other.
class Reporter {
 public:
  Reporter(engine::duckdb::Connection& connection, const std::string& table,
           const Progress& progress);
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  ~Reporter();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;
  std::thread thread_;
};

// Whether it failed because it was told to end. Some of the engine's readers report that as an
// error of their own, which only quotes it.
bool WasInterrupted(const engine::duckdb::Failure& failure);
// What is said then; the program ends with 1, because nothing is wrong with what it was given.
Error Interrupted(const std::string& what_is_so, const std::string& hint = "");

// Runs a statement under a Reporter. The callback sees what the statement returns, as in
// Connection::Run.
std::optional<engine::duckdb::Failure> RunWithProgress(
    engine::duckdb::Connection& connection, const engine::duckdb::Connection::Statement& statement,
    const std::string& table, const Progress& progress,
    const engine::duckdb::Connection::ChunkReader& reader = nullptr);

// The progress of one part of the work: its 0 and 100 are these percentages of the whole.
Progress Between(const Progress& whole, double from, double to);

// The progress of one of several parts that follow each other, each as much work as its weight
// says.
Progress PartOf(const Progress& whole, const std::vector<double>& weights, size_t part);

}  // namespace tacit::owner
