// How fast answers become reports and reports become estimates, on one core. Prints a table, and
// with --json one object that bench/local/run sets beside another library's figures.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "local/estimate/estimate.h"
#include "local/randomize/randomizer.h"
#include "local/reports/report_file.h"
#include "local/reports/report_text.h"

namespace tacit::local {
namespace {

constexpr uint32_t kValues = 1'000;
constexpr uint64_t kReports = 10'000'000;
// Reports are made in blocks so that those of one bit a value fit in memory; making them is not
// part of what estimation is charged with.
constexpr uint64_t kBlock = 100'000;

using Clock = std::chrono::steady_clock;
double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Measured {
  std::string mechanism;
  double randomize_per_second = 0;
  double estimate_seconds = 0;   // from reports in memory
  double from_text_seconds = 0;  // from the text of a file
  double worst_error = 0;        // of all values, in standard deviations: the estimate is real
};

// Half of the people hold value 0, the others are spread evenly.
uint32_t AnswerOf(uint64_t person) {
  return person % 2 == 0 ? 0 : static_cast<uint32_t>(person / 2 % (kValues - 1) + 1);
}

void AddAll(const Design& design, const std::vector<Report>& block, Tally& tally) {
  if (HasBits(design.mechanism)) {
    for (const Report& report : block) tally.AddBits(report.bits);
  } else if (design.mechanism == Mechanism::kHashing) {
    for (const Report& report : block) tally.AddHashed(report.seed, report.value);
  } else {
    for (const Report& report : block) tally.AddValue(report.value);
  }
}

double WorstError(const std::vector<Frequency>& frequencies) {
  double worst = 0;
  for (uint32_t v = 0; v < kValues; ++v) {
    const double truth = v == 0 ? 0.5 : 0.5 / (kValues - 1);
    worst = std::max(worst, std::abs(frequencies[v].estimate - truth) / frequencies[v].error);
  }
  return worst;
}

Measured Measure(Mechanism mechanism) {
  Header header;
  header.design = MakeDesign({mechanism, kValues, Epsilon(1, 1)}).value();
  for (uint32_t v = 0; v < kValues; ++v) header.values.push_back("value " + std::to_string(v));
  const Design& design = header.design;
  const Randomizer randomizer(design);
  Entropy& entropy = Entropy::ForThisThread();

  Measured measured{.mechanism = std::string(NameOf(mechanism))};
  double randomize_seconds = 0;
  Tally tally(design);
  ReportReader reader("memory");
  TACIT_ASSERT(reader.Feed(OpeningLines(header)).ok());
  std::vector<Report> block(kBlock);
  std::string text;
  for (uint64_t done = 0; done < kReports; done += kBlock) {
    auto start = Clock::now();
    for (uint64_t i = 0; i < kBlock; ++i) {
      randomizer.Randomize(AnswerOf(done + i), entropy, block[i]);
    }
    randomize_seconds += SecondsSince(start);

    start = Clock::now();
    AddAll(design, block, tally);
    measured.estimate_seconds += SecondsSince(start);

    text.clear();
    for (const Report& report : block) {
      AppendReport(design, report, text);
      text += '\n';
    }
    start = Clock::now();
    TACIT_ASSERT(reader.Feed(text).ok());
    measured.from_text_seconds += SecondsSince(start);
  }
  auto start = Clock::now();
  const std::vector<Frequency> frequencies = EstimateFrequencies(tally);
  measured.estimate_seconds += SecondsSince(start);

  TACIT_ASSERT(reader.Feed(ClosingLine(kReports)).ok());
  start = Clock::now();
  const auto read = std::move(reader).Finish();
  const std::vector<Frequency> again = EstimateFrequencies(read.value().tally);
  measured.from_text_seconds += SecondsSince(start);
  TACIT_ASSERT(again.back().estimate == frequencies.back().estimate);

  measured.randomize_per_second = static_cast<double>(kReports) / randomize_seconds;
  measured.worst_error = WorstError(frequencies);
  return measured;
}

}  // namespace
}  // namespace tacit::local

int main(int argc, char** argv) {
  using namespace tacit::local;
  const bool as_json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!as_json) {
    std::printf("%-6s %20s %24s %24s %14s\n", "", "reports/s", "estimate 10M x 1000, s",
                "the same from text, s", "worst error");
  }
  for (const Mechanism mechanism :
       {Mechanism::kKary, Mechanism::kHashing, Mechanism::kOptimal, Mechanism::kSymmetric}) {
    const Measured m = Measure(mechanism);
    if (as_json) {
      all.push_back({{"mechanism", m.mechanism},
                     {"reports_per_second", m.randomize_per_second},
                     {"estimate_seconds", m.estimate_seconds},
                     {"from_text_seconds", m.from_text_seconds},
                     {"worst_error_sd", m.worst_error}});
    } else {
      std::printf("%-6s %20.0f %24.3f %24.3f %11.1f sd\n", m.mechanism.c_str(),
                  m.randomize_per_second, m.estimate_seconds, m.from_text_seconds, m.worst_error);
      std::fflush(stdout);
    }
  }
  if (as_json) std::printf("%s\n", all.dump(1).c_str());
  return 0;
}
