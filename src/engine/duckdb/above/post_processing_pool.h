#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/duckdb/above/post_processing.h"

namespace tacit::engine::duckdb {

// Keeps emptied instances for the next answer: starting one takes longer than most of what is
// computed in it. An instance whose statement failed is not kept. From any thread.
class PostProcessingPool {
 public:
  explicit PostProcessingPool(size_t spares_max) : spares_max_(spares_max) {
    spares_.reserve(spares_max);  // giving one back must not fail
  }

  // Brings an instance back when it is let go of; without a pool it is closed.
  struct Returner {
    PostProcessingPool* pool = nullptr;
    void operator()(PostProcessing* instance) const;
  };
  using Lent = std::unique_ptr<PostProcessing, Returner>;

  // A spare one, best one that holds these tables of this asker already, or a fresh one. `pool` may
  // be null.
  static Result<Lent> Take(PostProcessingPool* pool, const std::vector<TableShape>& tables = {},
                           const std::string& asker = "");
  static bool HasSpare(PostProcessingPool* pool);

 private:
  const size_t spares_max_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PostProcessing>> spares_;
};

}  // namespace tacit::engine::duckdb
