#pragma once

#include <chrono>
#include <map>
#include <optional>

#include "scenes.h"
#include "statistics.h"

namespace tacit::adversary {

struct Wishes {
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t queries = 5000;
  std::optional<std::chrono::minutes> minutes;
  size_t scenes = 40;         // of all, how many take turns
  size_t violations_max = 3;  // then it ends
  bool shrinks = true;
  bool shows = false;  // every query and what became of it
  bool quiet = false;  // no reports and no progress
  Rows rows = Rows::kInDuckdb;
};

// Query after query, each in the scene whose turn it is. The worlds stay open.
class Run {
 public:
  explicit Run(const Wishes& wishes) : wishes_(wishes) {}

  // True when nothing was found.
  bool Go();
  // One written by hand, in every scene.
  bool Ask(const std::string& text);
  // The number of the first query with a violation, counted from wishes.first.
  std::optional<uint64_t> Found() const { return found_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  void One(uint64_t query);
  void Report(const Question& question, const Scene& scene, Stage& stage, uint64_t query,
              const Outcome& outcome);
  Stage& StageOf(const Scene& scene);
  bool LedgersAreEqual();
  void ShowProgress(uint64_t query);

  Wishes wishes_;
  Statistics statistics_;
  std::map<size_t, Stage> stages_;
  size_t violations_ = 0;
  std::optional<uint64_t> found_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = started_;
};

}  // namespace tacit::adversary
