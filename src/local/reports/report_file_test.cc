#include "local/reports/report_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/testing/tape_entropy.h"
#include "local/randomize/randomizer.h"
#include "local/reports/report_text.h"

namespace tacit::local {
namespace {

using ::testing::HasSubstr;

Header MakeHeader(Mechanism mechanism, std::vector<std::string> names) {
  Header header;
  header.design =
      MakeDesign({mechanism, static_cast<uint32_t>(names.size()), Epsilon(1, 1)}).value();
  header.values = std::move(names);
  return header;
}

Result<ReportReader::Collected> Read(const std::string& text, size_t piece = 1 << 20) {
  ReportReader reader("reports.csv");
  for (size_t at = 0; at < text.size(); at += piece) {
    TACIT_CHECK(reader.Feed(std::string_view(text).substr(at, piece)));
  }
  return std::move(reader).Finish();
}

std::string ErrorOf(const std::string& text) {
  const auto read = Read(text);
  return read.ok() ? "" : read.error().public_message;
}

TEST(ReportText, EveryReportReadsBack) {
  testing::SeededEntropy random(3);
  for (const Mechanism mechanism : {Mechanism::kWarner, Mechanism::kKary, Mechanism::kSymmetric,
                                    Mechanism::kOptimal, Mechanism::kHashing}) {
    for (const uint32_t values : {2, 3, 5, 64, 65, 1000}) {
      if (mechanism == Mechanism::kWarner && values != 2) continue;
      const Design design = MakeDesign({mechanism, values, Epsilon(1, 1)}).value();
      const Randomizer randomizer(design);
      const Tally tally(design);
      for (uint32_t i = 0; i < 100; ++i) {
        Report report;
        randomizer.Randomize(i % values, random, report);
        std::string text;
        AppendReport(design, report, text);
        Report again;
        ASSERT_TRUE(ParseReport(design, tally.seeds(), text, again)) << text;
        EXPECT_EQ(report, again);
      }
    }
  }
}

TEST(ReportText, OnlyOneSpellingPasses) {
  const Design krr = MakeDesign({Mechanism::kKary, 20, Epsilon(1, 1)}).value();
  Report report;
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "01", "20", "1.0", "1,2", "0x1",
                           "99999999999", "4294967296", "1\r"}) {
    EXPECT_FALSE(ParseReport(krr, 0, text, report)) << text;
  }
  const Design oue = MakeDesign({Mechanism::kOptimal, 6, Epsilon(1, 1)}).value();
  for (const char* text : {"", "8", "8c0", "8C", "81", "g0", "8 ",
                           "\xff"
                           "0",
                           "/0", ":0", "`0"}) {
    EXPECT_FALSE(ParseReport(oue, 0, text, report)) << text;
  }
  EXPECT_TRUE(ParseReport(oue, 0, "8c", report));
  EXPECT_EQ(report.bits[0], uint64_t{0x8c} << 56);
}

TEST(ReportFile, CountsWhatWasWrittenWhateverThePieces) {
  const Header header = MakeHeader(Mechanism::kKary, {"a", "b", "c, \"d\""});
  const std::string text = OpeningLines(header) + "2\n0\n2\n" + ClosingLine(3);
  for (const size_t piece : {1, 2, 7, 1000}) {
    const auto read = Read(text, piece);
    ASSERT_TRUE(read.ok()) << read.error().public_message;
    EXPECT_EQ(read->header, header);
    EXPECT_EQ(read->tally.Support(), (std::vector<uint64_t>{1, 0, 2}));
  }
  const auto twice = Read(text + text);
  ASSERT_TRUE(twice.ok());
  EXPECT_EQ(twice->tally.people(), 6u);
}

TEST(ReportFile, EveryCutIsNoticed) {
  const std::string text =
      OpeningLines(MakeHeader(Mechanism::kKary, {"a", "b", "c"})) + "2\n0\n1\n" + ClosingLine(3);
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(Read(text.substr(0, length)).ok()) << length;
  }
  EXPECT_TRUE(Read(text).ok());
}

TEST(ReportFile, MissingAndAddedLinesAreNoticed) {
  const std::string opening = OpeningLines(MakeHeader(Mechanism::kKary, {"a", "b", "c"}));
  EXPECT_EQ(ErrorOf(opening + "2\n" + ClosingLine(2)),
            "reports.csv:4: the file promises 2 reports and has 1");
  EXPECT_EQ(ErrorOf(opening + "2\n1\n" + ClosingLine(1)),
            "reports.csv:5: the file promises 1 reports and has 2");
}

TEST(ReportFile, MixedParametersAreNoticed) {
  const auto part = [](const Header& header) { return OpeningLines(header) + ClosingLine(0); };
  const Header one = MakeHeader(Mechanism::kKary, {"a", "b", "c"});
  Header names = one;
  names.values[0] = "x";
  Header thresholds = one;
  thresholds.design.keep -= uint64_t{1} << 60;
  for (const Header& other : {names, thresholds, MakeHeader(Mechanism::kOptimal, one.values)}) {
    EXPECT_THAT(ErrorOf(part(one) + part(other)), HasSubstr("other parameters"));
  }
}

TEST(ReportFile, BadLinesAreNamed) {
  const std::string opening = OpeningLines(MakeHeader(Mechanism::kKary, {"a", "b", "c"}));
  EXPECT_EQ(ErrorOf(opening + "2\n3\n" + ClosingLine(2)),
            "reports.csv:4: this is not a report of krr over 3 values");
  EXPECT_THAT(ErrorOf("a,b\n1,2\n"), HasSubstr("reports.csv:1: this is not a file of reports"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("the file is empty"));
}

TEST(Header, WrongOnesAreRefused) {
  const nlohmann::ordered_json right = HeaderToJson(MakeHeader(Mechanism::kKary, {"a", "b", "c"}));
  EXPECT_TRUE(ParseHeader(right.dump()).ok());
  const auto with = [&](const char* key, nlohmann::ordered_json value) {
    nlohmann::ordered_json changed = right;
    changed[key] = std::move(value);
    const auto parsed = ParseHeader(changed.dump());
    return parsed.ok() ? "" : parsed.error().public_message;
  };
  EXPECT_THAT(with("epsilon", "0.5"), HasSubstr("claims epsilon 0.5, but its thresholds give 1"));
  EXPECT_THAT(with("keep", "0"), HasSubstr("do not belong"));
  EXPECT_THAT(with("keep", "18446744073709551616"), HasSubstr("below 2^64"));
  EXPECT_THAT(with("keep", 5), HasSubstr("below 2^64"));
  EXPECT_THAT(with("mechanism", "best"), HasSubstr("no mechanism"));
  EXPECT_THAT(with("colour", "red"), HasSubstr("unknown word \"colour\""));
  EXPECT_THAT(with("values", {"a", "a", "b"}), HasSubstr("comes twice"));
  EXPECT_THAT(with("values", {"a", 3, "b"}), HasSubstr("not text"));
  EXPECT_THAT(with("values", {"a"}), HasSubstr("2 to 65536"));
  EXPECT_THAT(with("buckets", -1), HasSubstr("small whole number"));
  for (const char* text : {"", "{", "[]", "3", "{}"}) EXPECT_FALSE(ParseHeader(text).ok());
}

}  // namespace
}  // namespace tacit::local
