#pragma once

#include <cstddef>

namespace tacit::engine::duckdb {

// The memory of a result from its first row until its last one was sent, counted among all results
// of the process: whoever asks for long answers and reads them slowly takes a bounded part of it.
// What is small always fits, however much others hold. Usable from several threads, one at a time.
class ResultRoom {
 public:
  // Why 128 MiB: a million rows of a few columns.
  static constexpr size_t kBytesMax = size_t{128} << 20;
  // Why three: so many long answers can be read at once.
  static constexpr size_t kAllBytesMax = 3 * kBytesMax;
  // Why a megabyte: every worker may hold one, and hardly anybody asks for more.
  static constexpr size_t kSmallBytes = size_t{1} << 20;

  ResultRoom() = default;
  ResultRoom(const ResultRoom&) = delete;
  ResultRoom& operator=(const ResultRoom&) = delete;
  ~ResultRoom();

  // False when it, or all together, would hold too much.
  bool Grow(size_t bytes);

 private:
  size_t bytes_ = 0;
};

}  // namespace tacit::engine::duckdb
