#include "accounting/account/parse_term.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace tacit::accounting {
namespace {

constexpr size_t kTermLengthMax = 1000;

struct Kind {
  std::string_view name;
  std::vector<std::string_view> parameters;  // in order; a bare value takes the next one
  size_t required;
  Event (*make)(const std::vector<Rational>& values);
};

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds = {
      {"laplace",
       {"epsilon"},
       1,
       [](const auto& v) -> Event { return LaplaceEvent{Epsilon(v[0])}; }},
      {"pure", {"epsilon"}, 1, [](const auto& v) -> Event { return PureEvent{Epsilon(v[0])}; }},
      {"exponential",
       {"epsilon"},
       1,
       [](const auto& v) -> Event { return ExponentialMechanismEvent{Epsilon(v[0])}; }},
      {"approx",
       {"epsilon", "delta"},
       2,
       [](const auto& v) -> Event {
         return ApproximateEvent{Epsilon(v[0]), Delta(v[1])};
       }},
      {"gaussian", {"sigma"}, 1, [](const auto& v) -> Event { return GaussianEvent{v[0]}; }},
      {"sgaussian",
       {"sigma", "q"},
       2,
       [](const auto& v) -> Event {
         return SubsampledGaussianEvent{v[0], v[1]};
       }},
      {"dlaplace",
       {"scale", "sensitivity"},
       1,
       [](const auto& v) -> Event {
         return DiscreteLaplaceEvent{v.size() > 1 ? v[1].get_num() : Integer(1), v[0]};
       }},
      {"dgaussian",
       {"sigma"},
       1,
       [](const auto& v) -> Event {
         return DiscreteGaussianEvent{1, Rational(v[0] * v[0])};
       }},
  };
  return kinds;
}

Error TermError(std::string_view text, const std::string& what) {
  return InvalidArgument("term '" + std::string(text.substr(0, 60)) + "': " + what,
                         "for example laplace:0.1*100, gaussian:sigma=10, "
                         "sgaussian:sigma=1,q=0.01*1000, approx:1,1e-6");
}

// Why 1e-9 and 1e9: far outside what means anything, well inside what the arithmetic holds.
Result<Done> CheckRange(std::string_view name, const Rational& value, std::string_view text) {
  const auto outside = [&](const std::string& range) {
    return TermError(text, std::string(name) + " must be " + range);
  };
  if (name == "delta") {
    if (value < 0 || value >= 1) return outside("at least 0 and below 1");
  } else if (name == "q") {
    if (value <= 0 || value > 1) return outside("above 0 and at most 1");
  } else if (name == "sensitivity") {
    if (value.get_den() != 1 || value < 1 || value > 1000000000) {
      return outside("a whole number from 1 to 1000000000");
    }
  } else if (value <= 0) {
    return outside("above 0");
  } else if (value < Rational(1, 1000000000) || value > 1000000000) {
    return outside("from 1e-9 to 1e9");
  }
  return Done{};
}

Result<uint64_t> ParseCount(std::string_view digits, std::string_view text) {
  uint64_t count = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, count);
  if (digits.empty() || error != std::errc() || stop != end || count == 0 ||
      count > 1000000000000000000u) {
    return TermError(text, "count must be a whole number from 1 to 10^18");
  }
  return count;
}

std::string_view LongName(std::string_view name) { return name == "eps" ? "epsilon" : name; }

// "sigma=1,q=0.01" or "1,1e-6", into the kind's order.
Result<std::vector<Rational>> ParseParameters(const Kind& kind, std::string_view list,
                                              std::string_view text) {
  std::vector<Rational> values;
  std::vector<bool> seen(kind.parameters.size(), false);
  values.resize(kind.parameters.size());
  size_t next = 0;
  while (true) {
    const size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    size_t place = next;
    if (const size_t equals = item.find('='); equals != std::string_view::npos) {
      const std::string_view name = LongName(item.substr(0, equals));
      const auto found = std::find(kind.parameters.begin(), kind.parameters.end(), name);
      if (found == kind.parameters.end()) {
        return TermError(text, "unknown parameter '" + std::string(name.substr(0, 20)) + "'");
      }
      place = static_cast<size_t>(found - kind.parameters.begin());
      item = item.substr(equals + 1);
    }
    if (place >= kind.parameters.size()) return TermError(text, "too many parameters");
    const std::string_view name = kind.parameters[place];
    if (seen[place]) return TermError(text, std::string(name) + " is given twice");
    Result<Rational> value = ParseRational(item);
    if (!value.ok()) {
      return TermError(text, std::string(name) + ": " + value.error().public_message);
    }
    TACIT_CHECK(CheckRange(name, *value, text));
    values[place] = *value;
    seen[place] = true;
    next = place + 1;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  for (size_t i = 0; i < kind.required; ++i) {
    if (!seen[i]) return TermError(text, std::string(kind.parameters[i]) + " is missing");
  }
  while (!seen[values.size() - 1]) values.pop_back();
  return values;
}

}  // namespace

Result<Term> ParseTerm(std::string_view text) {
  if (text.size() > kTermLengthMax) return TermError(text, "longer than 1000 characters");
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto kind =
      std::find_if(Kinds().begin(), Kinds().end(), [&](const Kind& k) { return k.name == name; });
  if (kind == Kinds().end()) {
    return TermError(text,
                     "unknown kind; known are laplace, gaussian, sgaussian, dlaplace, dgaussian, "
                     "pure, approx and exponential");
  }
  if (colon == std::string_view::npos) return TermError(text, "its parameters are missing");
  std::string_view list = text.substr(colon + 1);
  Term term;
  if (const size_t star = list.find('*'); star != std::string_view::npos) {
    TACIT_TRY(term.count, ParseCount(list.substr(star + 1), text));
    list = list.substr(0, star);
  }
  TACIT_TRY(const std::vector<Rational> values, ParseParameters(*kind, list, text));
  term.event = kind->make(values);
  return term;
}

}  // namespace tacit::accounting
