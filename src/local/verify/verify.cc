#include "local/verify/verify.h"

#include <algorithm>
#include <array>
#include <span>

#include "local/design/exact_log.h"
#include "local/design/words.h"
#include "local/randomize/coins.h"
#include "local/randomize/report.h"

namespace tacit::local {
namespace {

Error ClassesDiffer(const char* where) {
  return Error{
      .code = ErrorCode::kInternal,
      .public_message = std::string("two coins on one side of a threshold gave different ") + where,
      .hint = "a comparison is off by one",
      .position = std::nullopt,
      .private_detail = ""};
}

// The words on each side of a threshold: their number, and the ends of the range they fill.
struct CoinClass {
  Integer weight;
  std::array<uint64_t, 2> ends;
};
std::array<CoinClass, 2> ClassesOf(uint64_t threshold) {
  return {CoinClass{IntegerOf(threshold), {0, threshold - 1}},
          CoinClass{kWords - IntegerOf(threshold), {threshold, ~uint64_t{0}}}};
}

Transitions EmptyTable(size_t answers, size_t reports, Integer total) {
  return {.total = std::move(total),
          .weight = std::vector(answers, std::vector<Integer>(reports, Integer(0)))};
}

// Adds the outcomes of a k-ary response to `truth` among `choices` to a row from `offset` on.
Result<Done> AddKary(uint64_t keep, uint32_t choices, uint32_t truth, std::span<Integer> row) {
  for (const CoinClass& coin : ClassesOf(keep)) {
    for (uint32_t other = 0; other + 1 < choices; ++other) {
      const uint32_t low = KaryReport(keep, truth, {coin.ends[0], other});
      const uint32_t high = KaryReport(keep, truth, {coin.ends[1], other});
      if (low != high) return ClassesDiffer("reports");
      row[low] += coin.weight;
    }
  }
  return Done{};
}

Result<Transitions> EnumerateKary(const Design& design) {
  const uint32_t k = design.values;
  Transitions table = EmptyTable(k, k, Integer(kWords * (k - 1)));
  for (uint32_t value = 0; value < k; ++value) {
    TACIT_CHECK(AddKary(design.keep, k, value, table.weight[value]));
  }
  return table;
}

Result<Transitions> EnumerateHashing(const Design& design) {
  const HashFamily family(design.values, design.buckets);
  const uint32_t g = design.buckets;
  Transitions table = EmptyTable(design.values, size_t{family.seeds()} * g,
                                 Integer(kWords * (g - 1) * family.seeds()));
  for (uint32_t value = 0; value < design.values; ++value) {
    for (uint32_t seed = 0; seed < family.seeds(); ++seed) {
      const std::span<Integer> row(table.weight[value].data() + size_t{seed} * g, g);
      TACIT_CHECK(AddKary(design.keep, g, family.Hash(seed, value), row));
    }
  }
  return table;
}

// How many of the 2^64 numbers of a lane make it show 1, found by running the lanes on the ends of
// both classes: 0, threshold - 1, threshold, 2^64 - 1.
Result<Integer> OnesOfLane(uint64_t threshold) {
  const std::array<CoinClass, 2> classes = ClassesOf(threshold);
  const std::array<uint64_t, 4> numbers = {classes[0].ends[0], classes[0].ends[1],
                                           classes[1].ends[0], classes[1].ends[1]};
  int bit = 63;
  const uint64_t lanes = BernoulliLanes(threshold, [&] {
    uint64_t word = 0;
    for (size_t lane = 0; lane < numbers.size(); ++lane) {
      word |= (numbers[lane] >> bit & 1) << lane;
    }
    --bit;
    return word;
  });
  Integer ones = 0;
  for (size_t i = 0; i < 2; ++i) {
    const bool low = lanes >> (2 * i) & 1;
    const bool high = lanes >> (2 * i + 1) & 1;
    if (low != high) return ClassesDiffer("bits");
    if (low) ones += classes[i].weight;
  }
  return ones;
}

// The sets of values a person may hold, as bits of the first word.
std::vector<uint64_t> AnswersOf(const Design& design) {
  std::vector<uint64_t> answers;
  if (IsExclusive(design.mechanism)) {
    for (uint32_t value = 0; value < design.values; ++value) answers.push_back(BitOf(value));
    return answers;
  }
  for (uint64_t set = 0; set < uint64_t{1} << design.values; ++set) {
    if (static_cast<uint32_t>(__builtin_popcountll(set)) <= design.ticks_max) {
      answers.push_back(set << (64 - design.values));
    }
  }
  return answers;
}

Result<Transitions> EnumerateBits(const Design& design) {
  TACIT_TRY(const Integer ones_if_held, OnesOfLane(design.keep));
  TACIT_TRY(const Integer ones_if_not, OnesOfLane(design.lie));
  const std::vector<uint64_t> answers = AnswersOf(design);
  const size_t reports = size_t{1} << design.values;
  Transitions table = EmptyTable(answers.size(), reports, Integer(1) << (64 * design.values));
  for (size_t a = 0; a < answers.size(); ++a) {
    for (size_t report = 0; report < reports; ++report) {
      Integer weight = 1;
      for (uint32_t value = 0; value < design.values; ++value) {
        const bool held = (answers[a] & BitOf(value)) != 0;
        const bool shown = report >> value & 1;
        const Integer& ones = held ? ones_if_held : ones_if_not;
        weight *= shown ? ones : Integer(kWords - ones);
      }
      table.weight[a][report] = weight;
    }
  }
  return table;
}

uint64_t CellsOf(const Design& design) {
  const uint64_t k = design.values;
  if (HasBits(design.mechanism)) {
    if (k > 12) return ~uint64_t{0};
    return (IsExclusive(design.mechanism) ? k : uint64_t{1} << k) << k;
  }
  if (design.mechanism != Mechanism::kHashing) return k * k;
  return k * HashFamily(design.values, design.buckets).seeds() * design.buckets;
}

}  // namespace

bool CanEnumerate(const Design& design) { return CellsOf(design) <= kTransitionCellsMax; }

Result<Transitions> EnumerateTransitions(const Design& design) {
  TACIT_CHECK(CheckDesign(design));
  if (!CanEnumerate(design)) {
    return InvalidArgument(
        "too many values to enumerate every report of " + std::string(NameOf(design.mechanism)),
        "the epsilon does not depend on how many there are: check fewer");
  }
  if (HasBits(design.mechanism)) return EnumerateBits(design);
  if (design.mechanism == Mechanism::kHashing) return EnumerateHashing(design);
  return EnumerateKary(design);
}

Result<Rational> TrueRatio(const Transitions& transitions) {
  for (const std::vector<Integer>& row : transitions.weight) {
    Integer sum = 0;
    for (const Integer& weight : row) sum += weight;
    if (sum != transitions.total) {
      return InvalidArgument("the probabilities of an answer's reports do not add up to one");
    }
  }
  Rational worst = 1;
  for (size_t report = 0; report < transitions.weight.front().size(); ++report) {
    const auto less = [report](const auto& a, const auto& b) { return a[report] < b[report]; };
    const auto [least, most] =
        std::minmax_element(transitions.weight.begin(), transitions.weight.end(), less);
    if ((*most)[report] == 0) continue;  // a report that nobody sends tells nothing
    if ((*least)[report] == 0) {
      return InvalidArgument("some report rules an answer out: epsilon is infinite");
    }
    Rational ratio((*most)[report], (*least)[report]);
    ratio.canonicalize();
    worst = std::max(worst, ratio);
  }
  return worst;
}

Result<Verdict> VerifyDesign(const Design& design, const Epsilon& claimed) {
  TACIT_TRY(const Transitions transitions, EnumerateTransitions(design));
  TACIT_TRY(Rational ratio, TrueRatio(transitions));
  Verdict verdict{.claimed = claimed,
                  .true_ratio = ratio,
                  .answers = transitions.weight.size(),
                  .reports = transitions.weight.front().size()};
  verdict.holds = LogAtMost(ratio, claimed.value);
  return verdict;
}

}  // namespace tacit::local
