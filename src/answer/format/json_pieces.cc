#include "answer/format/json_pieces.h"

#include "answer/format/json_parts.h"

namespace tacit::answer {

bool JsonPieces::Next(std::string& piece, size_t bytes) {
  if (!begun_) AddJsonOpening(answer_, piece);
  begun_ = true;
  std::vector<engine::Value> row;
  while (piece.size() < bytes && answer_.rows.Next(next_, row)) {
    if (next_.row > 1) piece += ", ";
    AddJsonRow(row, piece);
  }
  answer_.rows.LetGoBefore(next_);
  if (next_.row < answer_.rows.size()) return true;
  AddJsonClosing(answer_, piece);
  return false;
}

}  // namespace tacit::answer
