#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <unordered_map>

#include "local/randomize/randomizer.h"
#include "local/reports/answer_file.h"
#include "local/reports/report_file.h"
#include "local/reports/report_text.h"
#include "tacit/commands.h"
#include "tacit/local/local.h"

namespace tacit::app {
namespace {

struct RandomizeFlags {
  std::string mechanism;
  std::string epsilon;
  std::string truth;
  std::string values;
  std::string values_file;
  std::string column;
  uint32_t at_most = 0;
};

constexpr size_t kOutputBytes = size_t{1} << 20;

Error CannotWrite() {
  Error error = InvalidArgument("the reports could not be written", "is the disk full?");
  error.code = ErrorCode::kUnavailable;
  return error;
}

Result<std::vector<std::string>> ReadValues(const RandomizeFlags& flags) {
  std::vector<std::string> names;
  if (flags.values.empty() == flags.values_file.empty()) {
    return InvalidArgument("one of --values and --values-file is needed",
                           "--values red,green,blue");
  }
  if (!flags.values.empty()) {
    TACIT_CHECK(local::SplitCsv(flags.values, names));
  } else {
    std::ifstream file(flags.values_file);
    if (!file) return InvalidArgument("--values-file: cannot read " + flags.values_file);
    for (std::string line; std::getline(file, line);) names.push_back(line);
  }
  TACIT_CHECK(local::CheckValueNames(names));
  return names;
}

Result<local::Design> ReadDesign(const RandomizeFlags& flags, size_t values) {
  TACIT_TRY(const local::Mechanism mechanism, local::MechanismNamed(flags.mechanism));
  if (flags.epsilon.empty() == flags.truth.empty()) {
    return InvalidArgument("one of --epsilon and --truth is needed",
                           "--truth is for rr only: 1/2 is the classic two coins");
  }
  if (!flags.truth.empty()) {
    if (mechanism != local::Mechanism::kWarner || values != 2) {
      return InvalidArgument("--truth is for rr with two values");
    }
    TACIT_TRY(const Rational truth, ReadNumber("--truth", flags.truth));
    return local::MakeWarner(truth);
  }
  TACIT_TRY(const Rational number, ReadNumber("--epsilon", flags.epsilon));
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(number, "--epsilon"));
  return local::MakeDesign({.mechanism = mechanism,
                            .values = static_cast<uint32_t>(values),
                            .epsilon = epsilon,
                            .ticks_max = flags.at_most});
}

// Names of values to their indices, for answers that are views into a line.
class Lookup {
 public:
  explicit Lookup(const std::vector<std::string>& names) {
    for (size_t i = 0; i < names.size(); ++i) index_.emplace(names[i], static_cast<uint32_t>(i));
  }
  Result<uint32_t> Find(std::string_view answer, const std::string& place) const {
    const auto found = index_.find(answer);
    if (found != index_.end()) return found->second;
    return InvalidArgument(place + ": \"" + std::string(answer) + "\" is not one of the values",
                           "add it to --values, or correct the answer; the reports written so far "
                           "have no end and cannot be used");
  }

 private:
  std::unordered_map<std::string_view, uint32_t> index_;
};

// "a;b" with every name once, at most as many as allowed; an empty answer holds none.
Result<Done> FindSet(const Lookup& lookup, const local::Design& design, std::string_view answer,
                     const std::string& place, std::vector<uint32_t>& held) {
  held.clear();
  while (!answer.empty()) {
    const size_t end = std::min(answer.find(';'), answer.size());
    TACIT_TRY(const uint32_t value, lookup.Find(answer.substr(0, end), place));
    if (std::find(held.begin(), held.end(), value) != held.end()) {
      return InvalidArgument(place + ": a value comes twice in one answer");
    }
    held.push_back(value);
    answer.remove_prefix(std::min(end + 1, answer.size()));
  }
  if (held.size() > design.ticks_max) {
    return InvalidArgument(place + ": more values than the " + std::to_string(design.ticks_max) +
                           " a person may hold");
  }
  return Done{};
}

Result<Done> WriteReports(const local::Header& header, local::AnswerReader& answers) {
  const local::Randomizer randomizer(header.design);
  const Lookup lookup(header.values);
  Entropy& entropy = Entropy::ForThisThread();
  std::string output = local::OpeningLines(header);
  local::Report report;
  std::vector<uint32_t> held;
  uint64_t people = 0;
  while (true) {
    std::string_view answer;
    TACIT_TRY(const bool some, answers.Next(answer));
    if (!some) break;
    if (local::IsExclusive(header.design.mechanism)) {
      TACIT_TRY(const uint32_t value, lookup.Find(answer, answers.Place()));
      randomizer.Randomize(value, entropy, report);
    } else {
      TACIT_CHECK(FindSet(lookup, header.design, answer, answers.Place(), held));
      randomizer.RandomizeSet(held, entropy, report);
    }
    local::AppendReport(header.design, report, output);
    output += '\n';
    ++people;
    if (output.size() < kOutputBytes) continue;
    if (std::fwrite(output.data(), 1, output.size(), stdout) != output.size()) return CannotWrite();
    output.clear();
  }
  output += local::ClosingLine(people);
  if (std::fwrite(output.data(), 1, output.size(), stdout) != output.size() ||
      std::fflush(stdout) != 0) {
    return CannotWrite();
  }
  return Done{};
}

Result<Done> RunRandomize(const RandomizeFlags& flags) {
  local::Header header;
  TACIT_TRY(header.values, ReadValues(flags));
  TACIT_TRY(header.design, ReadDesign(flags, header.values.size()));
  std::ios::sync_with_stdio(false);
  local::AnswerReader answers(std::cin, "answers");
  if (!flags.column.empty()) TACIT_CHECK(answers.ChooseColumn(flags.column));
  return WriteReports(header, answers);
}

}  // namespace

void AddLocalRandomize(Command local) {
  auto flags = std::make_shared<RandomizeFlags>();
  Command command = local.Subcommand(
      "randomize", "Turn answers on standard input into reports on standard output");
  command.Value("--mechanism", flags->mechanism, "rr, krr, sue, oue, olh or several").Required();
  command.Value("--epsilon", flags->epsilon, "What a report gives away at most");
  command.Value("--truth", flags->truth,
                "rr only: tell the truth with this probability, else throw a fair coin");
  command.Value("--values", flags->values, "All possible answers, with commas between");
  command.Value("--values-file", flags->values_file, "All possible answers, one a line");
  command.Value("--column", flags->column, "The column of answers in a CSV with headings");
  command.Value("--at-most", flags->at_most,
                "several only: how many values one person may hold (default any number)");
  command.Footer(
      "An answer is a line; for `several` it is a list with semicolons between.\n"
      "Example:\n"
      "  tacit local randomize --mechanism krr --epsilon 1 --values a,b,c < answers.csv > "
      "reports.csv");
  command.Action([flags] {
    const Result<Done> done = RunRandomize(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
