#include "base/utf8.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Utf8, IsWhatUnicodeWrites) {
  for (const char* text : {"", "a\n", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                           "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
  EXPECT_TRUE(IsUtf8(std::string_view("\0", 1)));
}

TEST(Utf8, IsNothingElse) {
  for (const char* text :
       {"\xff", "\x80", "\xc3", "\xc3(", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf0\x9f\x98", "\x7f\xff\xff\xff", "caf\xe9"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
  EXPECT_EQ(Utf8OrAsk("caf\xe9"), "caf?");
  EXPECT_EQ(Utf8OrAsk("caf\xc3\xa9"), "caf\xc3\xa9");
}

}  // namespace
}  // namespace tacit
