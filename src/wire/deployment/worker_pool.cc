#include "wire/deployment/worker_pool.h"

#include <algorithm>
#include <system_error>

#include "wire/words/log.h"

namespace tacit::wire {

Result<std::unique_ptr<WorkerPool>> WorkerPool::Start(const Limits& limits) {
  try {
    return std::make_unique<WorkerPool>(limits);
  } catch (const std::system_error& refused) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the system does not give the " +
                                   std::to_string(limits.workers) +
                                   " threads that answer questions: " + refused.what(),
                 .hint = "raise the limit of processes (ulimit -u, TasksMax)",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
}

WorkerPool::WorkerPool(const Limits& limits) : limits_(limits) {
  threads_.reserve(limits_.workers);
  try {
    for (size_t i = 0; i < limits_.workers; ++i) threads_.emplace_back([this, i] { Work(i); });
  } catch (...) {
    Stop();  // those that run already
    throw;
  }
}

WorkerPool::~WorkerPool() { Stop(); }

void WorkerPool::Stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

bool WorkerPool::Submit(const std::string& analyst, Job job) {
  {
    const std::lock_guard lock(mutex_);
    std::list<Lines::iterator> turn(1);  // made first: from here on nothing may fail half-way
    const auto [line, added] = lines_.try_emplace(analyst);
    std::deque<Job>& jobs = line->second.jobs;
    if (stopping_ || jobs.size() >= limits_.waiting_max) return false;
    try {
      jobs.push_back(std::move(job));
    } catch (...) {
      if (added) lines_.erase(line);
      throw;
    }
    turn.front() = line;
    if (jobs.size() == 1) turns_.splice(turns_.end(), turn);
  }
  changed_.notify_one();
  return true;
}

size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const auto& [analyst, line] : lines_) count += line.jobs.size();
  return count;
}

std::list<WorkerPool::Lines::iterator>::iterator WorkerPool::NextTurn() {
  const size_t most = std::max<size_t>(1, limits_.workers - 1);
  return std::find_if(turns_.begin(), turns_.end(),
                      [&](const Lines::iterator& line) { return line->second.running < most; });
}

// Between two jobs nothing here allocates: there is nobody who could be told.
void WorkerPool::Work(size_t worker) noexcept {
  std::unique_lock lock(mutex_);
  while (true) {
    auto turn = turns_.end();
    changed_.wait(lock, [&] {
      turn = NextTurn();
      return turn != turns_.end() || (stopping_ && turns_.empty());
    });
    if (turn == turns_.end()) return;
    const Lines::iterator place = *turn;
    Line& line = place->second;  // stays where it is while `running`
    Job job = std::move(line.jobs.front());
    line.jobs.pop_front();
    if (line.jobs.empty()) {
      turns_.erase(turn);
    } else {
      turns_.splice(turns_.end(), turns_, turn);
    }
    ++line.running;
    // Each of the others is woken by the one before it, and only when there is work for it.
    if (NextTurn() != turns_.end()) changed_.notify_one();
    lock.unlock();
    try {
      job(worker);
    } catch (...) {
      Log("job_failed");
    }
    job = nullptr;  // what it holds is let go of without the lock
    lock.lock();
    --line.running;
    if (line.running == 0 && line.jobs.empty()) lines_.erase(place);
    if (stopping_) changed_.notify_all();
  }
}

}  // namespace tacit::wire
