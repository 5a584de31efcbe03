#include "engine/duckdb/above/result_room.h"

#include <atomic>

namespace tacit::engine::duckdb {
namespace {

std::atomic<size_t> all_results = 0;

}  // namespace

bool ResultRoom::Grow(size_t bytes) {
  bytes_ += bytes;
  const size_t all = all_results += bytes;
  return bytes_ <= kSmallBytes || (bytes_ <= kBytesMax && all <= kAllBytesMax);
}

ResultRoom::~ResultRoom() { all_results -= bytes_; }

}  // namespace tacit::engine::duckdb
