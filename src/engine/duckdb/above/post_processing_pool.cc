#include "engine/duckdb/above/post_processing_pool.h"

#include <algorithm>
#include <iterator>

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
                                                          const std::vector<TableShape>& tables,
                                                          const std::string& asker) {
  if (pool != nullptr) {
    const std::lock_guard lock(pool->mutex_);
    auto& spares = pool->spares_;
    if (!spares.empty()) {
      // The last one that came back: what it works with is still in the processor's caches.
      const auto last = std::find_if(spares.rbegin(), spares.rend(), [&](const auto& spare) {
        return spare->IsArranged(tables, asker);
      });
      // Else the one that waited longest.
      const auto best = last == spares.rend() ? spares.begin() : std::prev(last.base());
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
