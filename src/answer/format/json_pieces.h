#pragma once

#include <string>

#include "answer/answer.h"

namespace tacit::answer {

// An answer as FormatJson writes it, byte for byte, but never whole: rows become text when they are
// asked for, and are let go of then.
class JsonPieces {
 public:
  explicit JsonPieces(Answer answer) : answer_(std::move(answer)) {}

  // Appends the next piece, of this size and a row or so; false: it was the last.
  bool Next(std::string& piece, size_t bytes = kPieceBytes);

 private:
  // Why 64 KiB: few enough calls, and nothing beside the rows themselves.
  static constexpr size_t kPieceBytes = size_t{64} * 1024;

  Answer answer_;
  engine::PackedRows::Place next_;
  bool begun_ = false;
};

}  // namespace tacit::answer
