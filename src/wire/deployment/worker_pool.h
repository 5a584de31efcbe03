#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"

namespace tacit::wire {

// The threads that carry questions out. Analysts take turns: however many questions one has
// waiting, the next of another comes after at most one of theirs; and nobody occupies the last
// thread besides others. What a job throws ends that job and nothing else; whoever waits for it
// learns so when the job is destroyed.
class WorkerPool {
 public:
  struct Limits {
    size_t workers = 4;
    size_t waiting_max = 64;  // of one analyst
  };
  using Job = std::function<void(size_t worker)>;  // worker: 0, 1, ...

  // kUnavailable when the system does not give so many threads.
  static Result<std::unique_ptr<WorkerPool>> Start(const Limits& limits);
  // The same, for what cannot go on without: throws std::system_error.
  explicit WorkerPool(const Limits& limits);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  // Finishes what it has taken on.
  ~WorkerPool();

  // False when too many jobs of this analyst wait already. From any thread. After an exception
  // (std::bad_alloc) nothing was taken on.
  bool Submit(const std::string& analyst, Job job);

  size_t workers() const { return limits_.workers; }
  size_t waiting() const;

 private:
  struct Line {
    std::deque<Job> jobs;
    size_t running = 0;
  };

  using Lines = std::map<std::string, Line>;

  void Stop() noexcept;
  void Work(size_t worker) noexcept;
  // The line whose turn it is, from the front; the end of the list when nobody can go.
  std::list<Lines::iterator>::iterator NextTurn();

  const Limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Lines lines_;
  std::list<Lines::iterator> turns_;  // lines with waiting jobs, in order
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tacit::wire
