#include "wire/pg/protocol/frame.h"

#include <gtest/gtest.h>

#include "wire/pg/protocol/message.h"
#include "wire/pg/protocol/startup.h"

namespace tacit::wire::pg {
namespace {

std::string Bytes(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return text;
}

TEST(Frame, LengthsAreCheckedBeforeAnythingIsAllocated) {
  EXPECT_FALSE(ReadFrameHead(Bytes({'Q', 0x7f, 0xff, 0xff, 0xff}), true).ok());
  EXPECT_FALSE(ReadFrameHead(Bytes({'Q', 0xff, 0xff, 0xff, 0xff}), true).ok());
  EXPECT_FALSE(ReadFrameHead(Bytes({'Q', 0, 0, 0, 3}), true).ok());
  EXPECT_FALSE(ReadFrameHead(Bytes({'S', 0, 2, 0, 0}), true).ok());
  EXPECT_EQ(ReadFrameHead(Bytes({'S', 0, 0, 0, 4}), true)->body_bytes, 0u);
  EXPECT_FALSE(ReadStartupLength(Bytes({0, 0, 0, 7})).ok());
  EXPECT_FALSE(ReadStartupLength(Bytes({0, 1, 0, 0})).ok());
  EXPECT_TRUE(ReadStartupLength(Bytes({0, 0, 0, 8})).ok());
}

TEST(Frame, BeforeTheLoginOnlyThePasswordPasses) {
  for (int type = 0; type < 256; ++type) {
    const bool passes = ReadFrameHead(Bytes({type, 0, 0, 0, 8}), false).ok();
    EXPECT_EQ(passes, type == 'p') << type;
  }
  EXPECT_FALSE(ReadFrameHead(Bytes({'p', 0, 0, 0x10, 0}), false).ok());
}

TEST(Frame, CountsAreBoundedByTheBytesThatAreThere) {
  EXPECT_FALSE(ReadParse(Bytes({0, 'x', 0, 0x7f, 0xff})).ok());
  EXPECT_FALSE(ReadBind(Bytes({0, 0, 0x7f, 0xff})).ok());
  EXPECT_FALSE(ReadBind(Bytes({0, 0, 0, 0, 0, 1, 0, 0, 0, 9, 'a', 0, 0})).ok());
  EXPECT_FALSE(ReadBind(Bytes({0, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 0, 0})).ok());
  EXPECT_FALSE(ReadQuery("no end").ok());
  EXPECT_FALSE(ReadQuery(std::string("a\0b\0", 4)).ok());
}

TEST(Frame, ABindMessageIsReadWhole) {
  const auto bind = ReadBind(Bytes(
      {'p', 0, 's', 0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 2, 0, 7, 0xff, 0xff, 0xff, 0xff, 0, 1, 0, 1}));
  ASSERT_TRUE(bind.ok());
  EXPECT_EQ(bind->portal, "p");
  EXPECT_EQ(bind->statement, "s");
  ASSERT_EQ(bind->parameters.size(), 2u);
  EXPECT_EQ(bind->parameters[0]->size(), 2u);
  EXPECT_FALSE(bind->parameters[1]);
  EXPECT_EQ(bind->result_formats, std::vector<int16_t>{1});
}

TEST(Startup, KnowsItsPacketsAndRefusesOthers) {
  EXPECT_TRUE(std::holds_alternative<TlsWanted>(*ReadStartup(Bytes({4, 0xd2, 0x16, 0x2f}))));
  EXPECT_TRUE(std::holds_alternative<GssWanted>(*ReadStartup(Bytes({4, 0xd2, 0x16, 0x30}))));
  EXPECT_FALSE(ReadStartup(Bytes({0, 2, 0, 0})).ok());
  const auto startup = ReadStartup(Bytes({0, 3, 0, 0}) + std::string("user\0ana\0\0", 10));
  ASSERT_TRUE(startup.ok());
  EXPECT_EQ(std::get<StartupWanted>(*startup).Value("user"), "ana");
  EXPECT_FALSE(ReadStartup(Bytes({0, 3, 0, 0}) + "user").ok());
  EXPECT_FALSE(ReadStartup(Bytes({0, 3, 0, 0}) + std::string("user\0ana\0\0more", 14)).ok());
}

TEST(Message, AnErrorHoldsItsFieldsAndEndsWithZero) {
  std::string out;
  AddReport(out, {.severity = Severity::kError,
                  .state = "42501",
                  .message = std::string("no\0way", 6),
                  .position = 7});
  EXPECT_EQ(out[0], 'E');
  EXPECT_NE(out.find(std::string("C42501\0", 7)), std::string::npos);
  EXPECT_NE(out.find(std::string("Mno\0P7\0\0", 8)), std::string::npos);
  EXPECT_EQ(static_cast<unsigned char>(out[4]), out.size() - 1);
}

}  // namespace
}  // namespace tacit::wire::pg
