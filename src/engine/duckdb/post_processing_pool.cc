#include "engine/duckdb/post_processing_pool.h"

namespace tacit::engine::duckdb {

void PostProcessingPool::Returner::operator()(PostProcessing* instance) const {
  std::unique_ptr<PostProcessing> owned(instance);
  if (pool == nullptr || !owned->Clear().ok()) return;
  const std::lock_guard lock(pool->mutex_);
  if (pool->spares_.size() < pool->spares_max_) pool->spares_.push_back(std::move(owned));
}

Result<PostProcessingPool::Lent> PostProcessingPool::Take(PostProcessingPool* pool) {
  if (pool != nullptr) {
    const std::lock_guard lock(pool->mutex_);
    if (!pool->spares_.empty()) {
      Lent lent(pool->spares_.back().release(), Returner{pool});
      pool->spares_.pop_back();
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
