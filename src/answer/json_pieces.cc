#include "answer/json_pieces.h"

#include "answer/json_parts.h"

namespace tacit::answer {

bool JsonPieces::Next(std::string& piece, size_t bytes) {
  if (!begun_) AddJsonOpening(answer_, piece);
  begun_ = true;
  while (row_ < answer_.rows.size() && piece.size() < bytes) {
    if (row_ > 0) piece += ", ";
    AddJsonRow(answer_.rows[row_], piece);
    std::vector<engine::Value>().swap(answer_.rows[row_]);
    ++row_;
  }
  if (row_ < answer_.rows.size()) return true;
  AddJsonClosing(answer_, piece);
  return false;
}

}  // namespace tacit::answer
