#include "local/design/design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "local/design/exact_log.h"
#include "local/design/hash_family.h"
#include "local/design/words.h"

namespace tacit::local {
namespace {

struct Named {
  Mechanism mechanism;
  std::string_view name;
};
constexpr std::array<Named, 6> kNames = {{{Mechanism::kWarner, "rr"},
                                          {Mechanism::kKary, "krr"},
                                          {Mechanism::kSymmetric, "sue"},
                                          {Mechanism::kOptimal, "oue"},
                                          {Mechanism::kHashing, "olh"},
                                          {Mechanism::kSeveral, "several"}}};

Rational ShareOf(const Integer& words) {
  Rational share(words, kWords);
  share.canonicalize();
  return share;
}

Rational Odds(uint64_t threshold) {
  Rational odds(IntegerOf(threshold), kWords - IntegerOf(threshold));
  odds.canonicalize();
  return odds;
}

// How many bits two people's answers can differ in.
uint32_t BitsThatDiffer(const Design& design) {
  if (design.mechanism != Mechanism::kSeveral) return 2;
  return std::min(design.values, 2 * design.ticks_max);
}

// The largest threshold whose odds times `others` stay within exp(epsilon).
uint64_t KeepDown(const Rational& epsilon, uint32_t others) {
  uint64_t keep = GuessThreshold(epsilon, others);
  while (!LogAtMost(Rational(Odds(keep) * others), epsilon)) --keep;
  return keep;
}

Result<Done> CheckValues(Mechanism mechanism, uint32_t values, uint32_t ticks_max) {
  const uint32_t most = mechanism == Mechanism::kWarner    ? 2
                        : mechanism == Mechanism::kSeveral ? kSeveralValuesMax
                                                           : kValuesMax;
  const uint32_t least = mechanism == Mechanism::kSeveral ? 1 : 2;
  if (values < least || values > most) {
    return InvalidArgument(
        std::string(NameOf(mechanism)) + " takes " + std::to_string(least) + " to " +
            std::to_string(most) + " values, not " + std::to_string(values),
        mechanism == Mechanism::kWarner ? "krr, sue, oue and olh take more" : "");
  }
  if (mechanism == Mechanism::kSeveral && (ticks_max < 1 || ticks_max > values)) {
    return InvalidArgument("the most values a person may hold must be 1 to " +
                           std::to_string(values) + ", not " + std::to_string(ticks_max));
  }
  return Done{};
}

// n times the variance of a rare value's frequency under hashing into `buckets`.
double HashingVariance(double e, double buckets) {
  return (e - 1 + buckets) * (e - 1 + buckets) / ((e - 1) * (e - 1) * (buckets - 1));
}

uint32_t BestBuckets(const Rational& epsilon, uint32_t values) {
  const double e = NearExp(epsilon);
  uint32_t best = 2;
  for (uint32_t buckets = 3; buckets <= HashFamily::kBucketsMax; ++buckets) {
    if (!HashFamily::Exists(values, buckets)) continue;
    if (HashingVariance(e, buckets) < HashingVariance(e, best)) best = buckets;
  }
  return best;
}

}  // namespace

std::string_view NameOf(Mechanism mechanism) {
  for (const Named& named : kNames) {
    if (named.mechanism == mechanism) return named.name;
  }
  AssertionFailed("a mechanism has a name", __FILE__, __LINE__);
}

Result<Mechanism> MechanismNamed(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.mechanism;
  }
  return InvalidArgument("there is no mechanism \"" + std::string(name) + "\"",
                         "rr, krr, sue, oue, olh or several");
}

bool HasBits(Mechanism mechanism) {
  return mechanism == Mechanism::kSymmetric || mechanism == Mechanism::kOptimal ||
         mechanism == Mechanism::kSeveral;
}

bool IsExclusive(Mechanism mechanism) { return mechanism != Mechanism::kSeveral; }

// proof: local/proof.md#claim
Result<Design> MakeDesign(const Wish& wish) {
  const Rational& epsilon = wish.epsilon.value;
  if (epsilon < kEpsilonMin || epsilon > kEpsilonMax) {
    return InvalidArgument("epsilon must be " + ToString(kEpsilonMin) + " to " +
                           ToString(kEpsilonMax) + ", not " + ToString(epsilon));
  }
  Design design{.mechanism = wish.mechanism, .values = wish.values};
  if (wish.mechanism == Mechanism::kSeveral) {
    design.ticks_max = wish.ticks_max == 0 ? wish.values : wish.ticks_max;
  }
  TACIT_CHECK(CheckValues(design.mechanism, design.values, design.ticks_max));
  switch (wish.mechanism) {
    case Mechanism::kWarner:
      design.keep = KeepDown(epsilon, 1);
      break;
    case Mechanism::kKary:
      design.keep = KeepDown(epsilon, design.values - 1);
      break;
    case Mechanism::kSymmetric:
    case Mechanism::kSeveral:
      design.keep = KeepDown(Rational(epsilon / BitsThatDiffer(design)), 1);
      design.lie = ~design.keep + 1;  // 2^64 - keep
      break;
    case Mechanism::kOptimal:
      design.keep = uint64_t{1} << 63;
      design.lie = ~KeepDown(epsilon, 1) + 1;
      break;
    case Mechanism::kHashing:
      design.buckets = BestBuckets(epsilon, design.values);
      design.keep = KeepDown(epsilon, design.buckets - 1);
      break;
  }
  TACIT_CHECK(CheckDesign(design));
  return design;
}

Result<Design> MakeWarner(const Rational& truth) {
  if (truth <= 0 || truth >= 1) {
    return InvalidArgument(
        "the probability of the truth must be above 0 and below 1, not " + ToString(truth),
        "1/2 is the classic two coins");
  }
  // truth + (1 - truth) / 2, rounded down: towards privacy.
  const Integer keep = FloorOf(Rational((1 + truth) / 2 * Rational(kWords)));
  Design design{.mechanism = Mechanism::kWarner, .values = 2};
  design.keep = mpz_get_ui(keep.get_mpz_t());
  TACIT_CHECK(CheckDesign(design));
  return design;
}

// proof: local/proof.md#claim
Result<Done> CheckDesign(const Design& design) {
  TACIT_CHECK(CheckValues(design.mechanism, design.values, design.ticks_max));
  const bool hashing = design.mechanism == Mechanism::kHashing;
  if (hashing != (design.buckets != 0) ||
      (design.mechanism == Mechanism::kSeveral) != (design.ticks_max != 0) ||
      HasBits(design.mechanism) != (design.lie != 0) || design.keep == 0) {
    return InvalidArgument("the parameters do not belong to " +
                           std::string(NameOf(design.mechanism)));
  }
  if (hashing && !HashFamily::Exists(design.values, design.buckets)) {
    return InvalidArgument("there is no hash family into " + std::to_string(design.buckets) +
                           " buckets for " + std::to_string(design.values) + " values");
  }
  const SupportProbabilities support = SupportOf(design);
  if (support.held <= support.other) {
    return InvalidArgument("the thresholds do not tell one answer from another");
  }
  return Done{};
}

// proof: local/proof.md#claim
Rational LikelihoodRatio(const Design& design) {
  switch (design.mechanism) {
    case Mechanism::kWarner:
      return Odds(design.keep);
    case Mechanism::kKary:
      return Odds(design.keep) * (design.values - 1);
    case Mechanism::kHashing:
      return Odds(design.keep) * (design.buckets - 1);
    case Mechanism::kSymmetric:
    case Mechanism::kOptimal:
      return Odds(design.keep) / Odds(design.lie);
    case Mechanism::kSeveral: {
      // A differing bit contributes at most P(1|1)/P(1|0) or P(0|0)/P(0|1), whichever is larger.
      const Rational one = Rational(IntegerOf(design.keep)) / IntegerOf(design.lie);
      const Rational zero =
          Rational(kWords - IntegerOf(design.lie)) / (kWords - IntegerOf(design.keep));
      const Rational& bit = std::max(one, zero);
      Rational ratio = 1;
      for (uint32_t i = 0; i < BitsThatDiffer(design); ++i) ratio *= bit;
      return ratio;
    }
  }
  AssertionFailed("every mechanism has a ratio", __FILE__, __LINE__);
}

Epsilon EpsilonUp(const Design& design) { return Epsilon(LogUp(LikelihoodRatio(design))); }

// proof: local/proof.md#claim
SupportProbabilities SupportOf(const Design& design) {
  const Rational held = ShareOf(IntegerOf(design.keep));
  switch (design.mechanism) {
    case Mechanism::kWarner:
    case Mechanism::kKary:
      return {.held = held, .other = (1 - held) / (design.values - 1)};
    case Mechanism::kHashing:
      return {.held = held, .other = Rational(1, design.buckets)};
    case Mechanism::kSymmetric:
    case Mechanism::kOptimal:
    case Mechanism::kSeveral:
      return {.held = held, .other = ShareOf(IntegerOf(design.lie))};
  }
  AssertionFailed("every mechanism has support probabilities", __FILE__, __LINE__);
}

}  // namespace tacit::local
