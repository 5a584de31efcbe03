#pragma once

#include <cstdint>
#include <string_view>

#include "base/numbers/privacy_parameters.h"

namespace tacit::local {

// How a device turns an answer into a report. Every probability is an integer threshold over 2^64
// (a uniform word below it says yes), so the epsilon of a design is that of its integers.
enum class Mechanism {
  kWarner,     // "rr": yes or no, the truth with probability keep, else the other
  kKary,       // "krr": the truth with probability keep, else one of the others, uniformly
  kSymmetric,  // "sue": one bit a value; the holder's bit and the others mirror each other
  kOptimal,    // "oue": one bit a value; the holder's bit is a fair coin, the others are rare
  kHashing,    // "olh": a random linear hash of the value into few buckets, then k-ary response
  kSeveral,    // "several": any set of at most ticks_max values, every bit a response of its own
};

std::string_view NameOf(Mechanism mechanism);
Result<Mechanism> MechanismNamed(std::string_view name);

// Why 65536: a report of one bit a value is then 8 KiB, the most a device should have to send.
inline constexpr uint32_t kValuesMax = 65'536;
// Why 64: the epsilon of `several` is shared by all its bits; beyond that nothing is left for each.
inline constexpr uint32_t kSeveralValuesMax = 64;

// All there is to know about a randomiser; public. Fields a mechanism does not use are zero.
struct Design {
  Mechanism mechanism = Mechanism::kWarner;
  uint32_t values = 0;
  uint64_t keep = 0;       // P(truth), or P(1 | the value is held), over 2^64
  uint64_t lie = 0;        // bits only: P(1 | the value is not held), over 2^64
  uint32_t buckets = 0;    // hashing only
  uint32_t ticks_max = 0;  // several only

  friend bool operator==(const Design&, const Design&) = default;
};

bool HasBits(Mechanism mechanism);      // the report is one bit a value
bool IsExclusive(Mechanism mechanism);  // a person holds exactly one value

struct Wish {
  Mechanism mechanism = Mechanism::kWarner;
  uint32_t values = 2;
  Epsilon epsilon;
  uint32_t ticks_max = 0;  // several only; 0 means any number
};

// The range of epsilon: below, no survey has people enough to see anything; above, nothing is hid.
inline const Rational kEpsilonMin{1, 1000};
inline const Rational kEpsilonMax{16};

// The design of least error whose epsilon is at most the wished one: thresholds round towards
// privacy.
Result<Design> MakeDesign(const Wish& wish);

// Warner's: with probability `truth` the truth, else a fair coin. 1/2 is the two coins of the
// textbook, whose epsilon is ln 3.
Result<Design> MakeWarner(const Rational& truth);

// Whether the fields belong together; what is read from a file goes through here.
Result<Done> CheckDesign(const Design& design);

// The largest ratio, over all reports and all pairs of answers, of the probabilities of one report.
// Exact; the proof is in proof.md and `VerifyDesign` finds the same by enumeration.
Rational LikelihoodRatio(const Design& design);

// ln of that ratio, rounded up to a multiple of 10^-12: what is claimed, stored and added up.
Epsilon EpsilonUp(const Design& design);

// P(report supports v | holds v) and P(report supports v | holds another), exactly.
struct SupportProbabilities {
  Rational held;
  Rational other;
};
SupportProbabilities SupportOf(const Design& design);

}  // namespace tacit::local
