#include "engine/duckdb/above/post_processing_pool.h"

#include <algorithm>

namespace tacit::engine::duckdb {

void PostProcessingPool::Returner::operator()(PostProcessing* instance) const {
  std::unique_ptr<PostProcessing> owned(instance);
  if (pool == nullptr || !owned->IsGood()) return;
  owned->Clear();
  const std::lock_guard lock(pool->mutex_);
  // There is room: the pool took it when it was made.
  if (pool->spares_.size() < pool->spares_max_) pool->spares_.push_back(std::move(owned));
}

Result<PostProcessingPool::Lent> PostProcessingPool::Take(PostProcessingPool* pool,
                                                          const std::vector<TableShape>& tables) {
  if (pool != nullptr) {
    const std::lock_guard lock(pool->mutex_);
    auto& spares = pool->spares_;
    if (!spares.empty()) {
      auto best = std::find_if(spares.begin(), spares.end(),
                               [&](const auto& spare) { return spare->tables() == tables; });
      if (best == spares.end()) best = spares.begin();  // the one that waited longest
      Lent lent(best->release(), Returner{pool});
      spares.erase(best);
      return lent;
    }
  }
  TACIT_TRY(PostProcessing opened, PostProcessing::Open());
  return Lent(new PostProcessing(std::move(opened)), Returner{pool});
}

bool PostProcessingPool::HasSpare(PostProcessingPool* pool) {
  if (pool == nullptr) return false;
  const std::lock_guard lock(pool->mutex_);
  return !pool->spares_.empty();
}

}  // namespace tacit::engine::duckdb
