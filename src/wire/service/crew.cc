#include "wire/service/crew.h"

#include <algorithm>

namespace tacit::wire {

Crew::Crew(const Limits& limits) : limits_(limits) {
  for (size_t i = 0; i < limits_.workers; ++i) threads_.emplace_back([this, i] { Work(i); });
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Crew::Submit(const std::string& analyst, Job job) {
  {
    const std::lock_guard lock(mutex_);
    Desk& desk = desks_[analyst];
    if (stopping_ || desk.jobs.size() >= limits_.waiting_max) return false;
    if (desk.jobs.empty()) turns_.push_back(analyst);
    desk.jobs.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

size_t Crew::waiting() const {
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (const auto& [analyst, desk] : desks_) count += desk.jobs.size();
  return count;
}

std::list<std::string>::iterator Crew::NextTurn() {
  const size_t most = std::max<size_t>(1, limits_.workers - 1);
  return std::find_if(turns_.begin(), turns_.end(),
                      [&](const std::string& analyst) { return desks_[analyst].running < most; });
}

void Crew::Work(size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    auto turn = turns_.end();
    changed_.wait(lock, [&] {
      turn = NextTurn();
      return turn != turns_.end() || (stopping_ && turns_.empty());
    });
    if (turn == turns_.end()) return;
    const std::string analyst = *turn;
    turns_.erase(turn);
    Desk& desk = desks_[analyst];
    Job job = std::move(desk.jobs.front());
    desk.jobs.pop_front();
    if (!desk.jobs.empty()) turns_.push_back(analyst);
    ++desk.running;
    // Each of the others is woken by the one before it, and only when there is work for it.
    if (NextTurn() != turns_.end()) changed_.notify_one();
    lock.unlock();
    job(worker);
    job = nullptr;  // what it holds is let go of without the lock
    lock.lock();
    Desk& after = desks_[analyst];
    --after.running;
    if (after.running == 0 && after.jobs.empty()) desks_.erase(analyst);
    if (stopping_) changed_.notify_all();
  }
}

}  // namespace tacit::wire
