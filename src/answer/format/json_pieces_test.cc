#include "answer/format/json_pieces.h"

#include <gtest/gtest.h>

#include "answer/format/format.h"

namespace tacit::answer {
namespace {

Answer AnswerOf(size_t rows) {
  Answer answer;
  answer.columns = {{.name = "town", .type = kTextType, .error = std::nullopt},
                    {.name = "n", .type = kBigintType, .error = std::nullopt}};
  for (size_t i = 0; i < rows; ++i) {
    answer.rows.push_back({engine::Value(std::string("a \"town\"\n") + std::to_string(i)),
                           i % 7 == 0 ? engine::Value() : engine::Value(int64_t(i))});
  }
  answer.notices = {"a notice"};
  return answer;
}

TEST(JsonPieces, TogetherAreTheWholeWhateverTheirSize) {
  for (const size_t rows : {0u, 1u, 2u, 500u}) {
    const std::string whole = FormatJson(AnswerOf(rows));
    for (const size_t bytes : {1u, 17u, 1000u, 1'000'000u}) {
      JsonPieces pieces(AnswerOf(rows));
      std::string all;
      bool goes_on = true;
      while (goes_on) {
        std::string piece;
        goes_on = pieces.Next(piece, bytes);
        EXPECT_FALSE(piece.empty());
        // A row of this answer, with the opening or the closing, is shorter than that.
        EXPECT_LT(piece.size(), bytes + 300);
        all += piece;
      }
      EXPECT_EQ(all, whole) << rows << " rows in pieces of " << bytes;
    }
  }
}

TEST(JsonPieces, AShortAnswerIsOnePiece) {
  JsonPieces pieces(AnswerOf(10));
  std::string piece;
  EXPECT_FALSE(pieces.Next(piece));
  EXPECT_EQ(piece, FormatJson(AnswerOf(10)));
}

}  // namespace
}  // namespace tacit::answer
