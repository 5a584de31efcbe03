#include "gateway/learning/aggregate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "answer/assemble.h"
#include "base/secrets/digest.h"
#include "base/whole_file.h"
#include "gateway/learning/cell_release.h"
#include "gateway/learning/roles.h"
#include "gateway/learning/unit_parts.h"

namespace tacit::gateway::learning {
namespace {

using std::chrono::steady_clock;

// Why 65,535: a step of it is far below the noise of any mean that one can pay for.
constexpr int64_t kPrintedUnits = 65'535;
constexpr uint16_t kPrintedDefault = 32'768;
// What a block may take to end after its time, and all of them after theirs.
constexpr std::chrono::milliseconds kToEndBlock{100};
constexpr std::chrono::milliseconds kToEndAll{1000};
constexpr size_t kProgramBytesMax = size_t{256} << 20;

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string CsvValue(const engine::Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return CsvCell(engine::ToText(value));
}

class BlockTraining : public CellTraining {
 public:
  BlockTraining(AggregateCall call, Sandbox sandbox, std::string program, std::string header)
      : call_(std::move(call)),
        sandbox_(std::move(sandbox)),
        program_(std::move(program)),
        header_(std::move(header)) {}

  std::string Text() const override {
    std::string text = "sample and aggregate 1 " + std::to_string(call_.blocks) + " " +
                       std::to_string(call_.outputs) + " " + ToString(call_.low) + " " +
                       ToString(call_.high) + " " + std::to_string(call_.time.count()) + "\n" +
                       header_ + program_;
    for (const std::string& word : call_.command) text += "\nword " + word;
    for (const std::string& path : call_.visible) text += "\nvisible " + path;
    return text;
  }

  std::vector<learn::Round> RoundsOf(bool) const override {
    return {{.what = "what the program says of each block",
             .tables = std::vector<learn::RoundTable>(call_.outputs,
                                                      {.cells = 1, .limit = kPrintedUnits}),
             .nonnegative = true,
             .unit = Rational(1, kPrintedUnits),
             .share = 1}};
  }

  // A row for each block: what the program said.
  // proof: gateway/learning/aggregate.md#the-blocks
  learn::CellRows RowsOf(const engine::ExactGroups& groups, const CellQuestion& question,
                         std::string_view deployment_key) const override {
    const std::vector<std::string> blocks = BlocksOf(groups, question, deployment_key);
    learn::CellRows rows(call_.outputs);
    const auto begin = steady_clock::now();
    const auto slot = call_.time + kToEndBlock;
    for (size_t b = 0; b < blocks.size(); ++b) {
      rows.Add(PrintedNumbers(sandbox_.Run(blocks[b]), call_), 1);
      std::this_thread::sleep_until(begin + slot * static_cast<int64_t>(b + 1));
    }
    std::this_thread::sleep_until(begin + slot * static_cast<int64_t>(blocks.size()) + kToEndAll);
    return rows;
  }

  std::string Train(bool, learn::Rounds& rounds) const override {
    const std::vector<double> sums =
        rounds.Next([&](const uint16_t* codes, int64_t&, learn::Rounds::Summand* summands) {
          for (size_t i = 0; i < call_.outputs; ++i) summands[i] = {0, codes[i]};
        });
    const nlohmann::ordered_json json = {{"sums", sums}, {"noise", rounds.LastDeviation()}};
    return json.dump();
  }

 private:
  // The CSV of each. Its lines are in the order of their bytes: nothing of who else there is.
  std::vector<std::string> BlocksOf(const engine::ExactGroups& groups, const CellQuestion& question,
                                    std::string_view deployment_key) const {
    const UnitParts parts(deployment_key, "blocks " + std::to_string(call_.blocks));
    std::vector<std::vector<std::string>> lines(call_.blocks);
    for (size_t g = 0; g < groups.size(); ++g) {
      std::string line;
      for (size_t i = 0; i < question.keys_of.size(); ++i) {
        line += (i == 0 ? "" : ",") + CsvValue(groups.Key(g, question.keys_of[i]));
      }
      const std::string unit = engine::ToText(groups.Key(g, *question.unit_key));
      std::vector<std::string>& block = lines[parts.PartOf(unit, call_.blocks)];
      const Int128 rows = std::get<Int128>(groups.Measure(g, 0));
      for (Int128 row = 0; row < rows; ++row) block.push_back(line);
    }
    std::vector<std::string> blocks;
    for (std::vector<std::string>& block : lines) {
      std::sort(block.begin(), block.end());
      std::string& text = blocks.emplace_back(header_ + "\n");
      for (const std::string& line : block) text += line + "\n";
    }
    return blocks;
  }

  AggregateCall call_;
  Sandbox sandbox_;
  std::string program_;  // digests of its files
  std::string header_;
};

Result<Done> CheckAggregate(const AggregateCall& call, const Request& request) {
  if (request.wish.error) {
    return WrongOption("a program is asked at a price, not at an error",
                       "give an epsilon; the noise is that of a mean of blocks");
  }
  if (call.blocks < 2 || call.blocks > kBlocksMax) {
    return InvalidArgument("there are 2 to " + std::to_string(kBlocksMax) + " blocks");
  }
  if (call.outputs < 1 || call.outputs > kOutputsMax) {
    return InvalidArgument("a program prints 1 to " + std::to_string(kOutputsMax) + " numbers");
  }
  if (call.low >= call.high) {
    return InvalidArgument("the range has no width", "--range LOW,HIGH with LOW below HIGH");
  }
  if (call.time < std::chrono::milliseconds(50) || call.time > std::chrono::minutes(10)) {
    return InvalidArgument("a block takes 0.05 to 600 seconds");
  }
  return Done{};
}

Result<std::string> DigestsOf(const Sandbox& sandbox) {
  std::string digests;
  for (const std::string& path : sandbox.files()) {
    const std::optional<std::string> bytes = WholeFile(path, kProgramBytesMax);
    if (!bytes) return InvalidArgument("cannot read " + path);
    digests += "\nfile " + Sha256Hex(*bytes);
  }
  return digests;
}

plan::OutputColumn AggregateColumn(const char* name, TypeKind kind) {
  return plan::OutputColumn{
      .name = name, .type = ValueType{.kind = kind}, .is_array = false, .error = std::nullopt};
}

}  // namespace

// proof: gateway/learning/aggregate.md#the-mean
std::vector<uint16_t> PrintedNumbers(const std::optional<std::string>& printed,
                                     const AggregateCall& call) {
  const std::vector<uint16_t> nothing(call.outputs, kPrintedDefault);
  if (!printed) return nothing;
  const double low = call.low.get_d();
  const double width = Rational(call.high - call.low).get_d();
  std::vector<uint16_t> numbers;
  const char* at = printed->c_str();
  const char* const end = at + printed->size();
  while (at < end) {
    if (std::string_view(" \t\r\n,;").find(*at) != std::string_view::npos) {
      ++at;
      continue;
    }
    char* after = nullptr;
    const double number = std::strtod(at, &after);
    if (after == at || !std::isfinite(number) || numbers.size() == call.outputs) return nothing;
    const double part = std::clamp((number - low) / width, 0.0, 1.0);
    numbers.push_back(static_cast<uint16_t>(std::lround(part * double{kPrintedUnits})));
    at = after;
  }
  return numbers.size() == call.outputs ? numbers : nothing;
}

Result<Aggregated> AggregateBlocks(const AggregateCall& call, const Request& request,
                                   Services& services) {
  TACIT_CHECK(CheckAggregate(call, request));
  Sandbox::Limits limits;
  limits.time = call.time;
  TACIT_TRY(Sandbox sandbox, Sandbox::Of(call.command, call.visible, limits));
  TACIT_CHECK(sandbox.Check());
  TACIT_TRY(const std::string program, DigestsOf(sandbox));
  TACIT_TRY(const RowsToLearn rows, ReadRows(call.rows, services));
  TACIT_TRY(CellQuestion question, AskForRows(rows, request, services));
  // However many rows a person has, they are all in one block; who is exchanged leaves one block
  // and comes into another.
  const policy::Privacy& privacy = services.policy.privacy;
  const bool replaces = privacy.neighbours == policy::Neighbours::kReplaceOne;
  question.step = {.rows = Integer(privacy.protects) * (replaces ? 2 : 1), .replaces = false};
  std::string header;
  for (const plan::OutputColumn& column : rows.shape) {
    header += (header.empty() ? "" : ",") + CsvCell(column.name);
  }
  TACIT_TRY(const CellPlan plan,
            PlanCells(std::make_shared<BlockTraining>(call, std::move(sandbox), program, header),
                      std::move(question), request, services));
  CellRelease release(plan, request, services);
  TACIT_TRY(const CellRelease::Answer answer, release.CarryOut());
  const nlohmann::json stored =
      nlohmann::json::parse(answer.trained, nullptr, /*allow_exceptions=*/false);
  TACIT_ASSERT(stored.is_object() && stored["sums"].size() == call.outputs);
  Aggregated aggregated{
      .means = {}, .privacy = answer.privacy, .notices = {answer::PriceSentence(answer.privacy)}};
  const double low = call.low.get_d();
  const double high = call.high.get_d();
  const double blocks = static_cast<double>(call.blocks);
  for (const auto& sum : stored["sums"]) {
    const double mean = std::clamp(sum.get<double>() / blocks, 0.0, 1.0);
    aggregated.means.push_back({.value = low + (high - low) * mean,
                                .se_noise = stored["noise"].get<double>() * (high - low) / blocks});
  }
  aggregated.notices.push_back("each number is the mean of what the program said of " +
                               std::to_string(call.blocks) +
                               " blocks of people; a block of which it said nothing in time counts "
                               "as the middle of the range");
  aggregated.notices.emplace_back(
      "se_noise is one deviation of the noise; what is different about small blocks is not in it");
  return aggregated;
}

answer::Answer AnswerOf(const Aggregated& aggregated) {
  answer::Answer answer{.columns = {AggregateColumn("output", TypeKind::kBigint),
                                    AggregateColumn("mean", TypeKind::kDouble),
                                    AggregateColumn("se_noise", TypeKind::kDouble)},
                        .rows = {},
                        .privacy = aggregated.privacy,
                        .notices = aggregated.notices};
  for (size_t i = 0; i < aggregated.means.size(); ++i) {
    const AggregatedMean& mean = aggregated.means[i];
    answer.rows.push_back(
        std::vector<engine::Value>{static_cast<int64_t>(i + 1), mean.value, mean.se_noise});
  }
  return answer;
}

}  // namespace tacit::gateway::learning
