// The same words make the same reports here and in the browser: browser_test.py checks this file's
// vectors against the page's own script.

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/testing/tape_entropy.h"
#include "local/randomize/randomizer.h"
#include "local/reports/report_text.h"

namespace tacit::local {
namespace {

using Json = nlohmann::json;

uint64_t FromHex(const std::string& text) { return std::stoull(text, nullptr, 16); }

TEST(Vectors, EveryReportIsWhatTheBrowserMakesOfTheSameWords) {
  std::ifstream file(TACIT_VECTORS);
  const Json vectors = Json::parse(file);
  ASSERT_GT(vectors.size(), 100u);
  for (const Json& vector : vectors) {
    const Json& given = vector["design"];
    const Mechanism mechanism = MechanismNamed(given["mechanism"].get<std::string>()).value();
    const Rational epsilon = ParseRational(given["epsilon"].get<std::string>()).value();
    const Design design = MakeDesign({.mechanism = mechanism,
                                      .values = vector["values"].get<uint32_t>(),
                                      .epsilon = Epsilon(epsilon),
                                      .ticks_max = given.value("ticks_max", 0u)})
                              .value();
    ASSERT_EQ(std::to_string(design.keep), given["keep"].get<std::string>());
    ASSERT_EQ(std::to_string(design.lie), given.value("lie", "0"));
    ASSERT_EQ(design.buckets, given.value("buckets", 0u));
    const Randomizer randomizer(design);
    std::vector<uint64_t> words;
    for (const Json& word : vector["words"]) words.push_back(FromHex(word.get<std::string>()));
    for (const Json& one : vector["answers"]) {
      testing::TapeEntropy tape(words);
      Report report;
      if (one["answer"].is_array()) {
        randomizer.RandomizeSet(one["answer"].get<std::vector<uint32_t>>(), tape, report);
      } else {
        randomizer.Randomize(one["answer"].get<uint32_t>(), tape, report);
      }
      std::string text;
      AppendReport(design, report, text);
      EXPECT_EQ(text, one["report"].get<std::string>()) << vector.dump();
      EXPECT_EQ(tape.WordsRead(), words.size());
    }
  }
}

}  // namespace
}  // namespace tacit::local
