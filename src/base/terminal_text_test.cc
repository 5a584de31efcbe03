#include "base/terminal_text.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(TerminalText, NoByteMovesTheCursor) {
  EXPECT_EQ(Printable("a\x1b[2Jb\r\n\t\x7f"), "a?[2Jb????");
  EXPECT_EQ(Printable("Zoë ± 3"), "Zoë ± 3");
}

TEST(TerminalText, CharactersAreCountedAndNotBytes) {
  EXPECT_EQ(ColumnsOf(""), 0u);
  EXPECT_EQ(ColumnsOf("Zoë ± 3"), 7u);
}

TEST(TerminalText, IsPaddedOnEitherSideAndNeverCut) {
  EXPECT_EQ(Padded("Zoë", 5) + "|", "Zoë  |");
  EXPECT_EQ(Padded("12", 5, Align::kRight), "   12");
  EXPECT_EQ(Padded("longer", 3), "longer");
}

}  // namespace
}  // namespace tacit
