#include "wire/pg/types/text/encoding.h"

#include <gtest/gtest.h>

namespace tacit::wire::pg {
namespace {

TEST(Encoding, IsFoundByAllItsNames) {
  for (const char* name : {"LATIN1", "latin1", "iso-8859-1", "ISO_8859_1", "iso88591"}) {
    ASSERT_NE(Encoding::Find(name), nullptr) << name;
    EXPECT_EQ(Encoding::Find(name)->name(), "LATIN1");
  }
  EXPECT_EQ(Encoding::Find("windows-1252")->name(), "WIN1252");
  EXPECT_EQ(Encoding::Find("koi8-r")->name(), "KOI8R");
  for (const char* name : {"UTF8", "SJIS", "EUC_JP", "", "LATIN11"}) {
    EXPECT_EQ(Encoding::Find(name), nullptr) << name;
  }
}

TEST(Encoding, TextsComeBackAsTheyWere) {
  const Encoding& latin = *Encoding::Find("LATIN1");
  EXPECT_EQ(*latin.FromUtf8("p\xc3\xa4ssw\xc3\xb6rd"), "p\xe4ssw\xf6rd");
  EXPECT_EQ(*latin.ToUtf8("p\xe4ssw\xf6rd"), "p\xc3\xa4ssw\xc3\xb6rd");
  EXPECT_EQ(*Encoding::Find("WIN1252")->FromUtf8("\xe2\x82\xac 5"), "\x80 5");  // the euro
  EXPECT_EQ(*Encoding::Find("KOI8R")->FromUtf8("\xd0\x94\xd0\xb0"), "\xe4\xc1");
  // Every byte that means a letter.
  for (const char* name : {"LATIN2", "LATIN9", "WIN1251", "WIN1258", "ISO_8859_8", "WIN874"}) {
    const Encoding& encoding = *Encoding::Find(name);
    for (int byte = 128; byte < 256; ++byte) {
      const std::string text(1, static_cast<char>(byte));
      const Result<std::string> utf8 = encoding.ToUtf8(text);
      if (!utf8.ok()) continue;
      EXPECT_EQ(*encoding.FromUtf8(*utf8), text) << name << " " << byte;
    }
  }
}

TEST(Encoding, WhatItHasNoLetterForIsAnError) {
  const Encoding& latin = *Encoding::Find("LATIN1");
  const Result<std::string> euro = latin.FromUtf8("5 \xe2\x82\xac");
  ASSERT_FALSE(euro.ok());
  EXPECT_EQ(euro.error().rule, "untranslatable_character");
  EXPECT_EQ(euro.error().public_message,
            "character with byte sequence 0xe2 0x82 0xac in encoding \"UTF8\" has no equivalent in "
            "encoding \"LATIN1\"");
  EXPECT_EQ(latin.FromUtf8OrAsk("5 \xe2\x82\xac \xc3\xa4"), "5 ? \xe4");
  EXPECT_FALSE(latin.FromUtf8("\xff\xfe\xe2").ok());
  const Result<std::string> hole = Encoding::Find("WIN1252")->ToUtf8("\x81");
  ASSERT_FALSE(hole.ok());
  EXPECT_EQ(hole.error().rule, "character_not_in_repertoire");
}

}  // namespace
}  // namespace tacit::wire::pg
