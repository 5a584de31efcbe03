#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tacit::wire {

// The threads that carry questions out. Analysts take turns: however many questions one has
// waiting, the next of another comes after at most one of theirs; and nobody occupies the last
// thread besides others.
class Crew {
 public:
  struct Limits {
    size_t workers = 4;
    size_t waiting_max = 64;  // of one analyst
  };
  using Job = std::function<void(size_t worker)>;  // worker: 0, 1, ...

  explicit Crew(const Limits& limits);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  // Finishes what it has taken on.
  ~Crew();

  // False when too many jobs of this analyst wait already. From any thread.
  bool Submit(const std::string& analyst, Job job);

  size_t workers() const { return limits_.workers; }
  size_t waiting() const;

 private:
  struct Desk {
    std::deque<Job> jobs;
    size_t running = 0;
  };

  void Work(size_t worker);
  // The analyst whose turn it is, taken from the front; the end of the list when nobody can go.
  std::list<std::string>::iterator NextTurn();

  const Limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Desk> desks_;
  std::list<std::string> turns_;  // analysts with waiting jobs, in order
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tacit::wire
