#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "accounting/account/epsilon_bounds.h"
#include "accounting/account/group.h"
#include "accounting/account/parse_term.h"
#include "tacit/commands.h"

// tacit account: what releases cost together, by every accountant, and what that means in words.

namespace tacit::app {
namespace {

using accounting::Bound;
using accounting::EpsilonBounds;
using accounting::Neighbours;

struct AccountFlags {
  std::vector<std::string> terms;
  std::string delta = "0";
  std::string neighbours = "add_remove";
  std::string format = "table";
};

struct Row {
  const char* key;
  const char* label;
  const Bound* bound;
};

std::vector<Row> RowsOf(const EpsilonBounds& bounds) {
  return {{"basic", "basic (sums)", &bounds.basic},
          {"advanced", "advanced (DRV)", &bounds.advanced},
          {"optimal", "optimal (KOV)", &bounds.optimal},
          {"zcdp", "zCDP", &bounds.zcdp},
          {"pld", "PLD (loss distribution)", &bounds.pld.upper}};
}

// Five significant digits, rounded up: a shown epsilon is never below the proven one.
std::string ShortUp(double value) {
  if (value == 0) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - 4);
  // A value that has few digits anyway keeps them: 10 is not shown as 10.001.
  const double steps = value / unit;
  const double nearest = std::round(steps);
  const double up = std::abs(steps - nearest) < 1e-9 * steps ? nearest : std::ceil(steps);
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", 5, up * unit);
  return text;
}

std::string PercentUp(double chance) {
  char text[40];
  const double up = std::ceil(chance * 10000 - 1e-9) / 100;
  std::snprintf(text, sizeof text, "%.2f %%", std::min(up, 100.0));
  return text;
}

// For k people epsilon is k times as large and delta grows too (group privacy).
double GuessChance(double epsilon, const Delta& delta, uint32_t people) {
  const Epsilon one(RationalOf(epsilon));
  return accounting::GuessChanceUp(epsilon * people, accounting::GroupDeltaUp(one, delta, people));
}

void PrintTable(const EpsilonBounds& bounds, const Delta& delta, const AccountFlags& flags) {
  std::printf("delta %s, neighbours %s\n\n", ToString(delta.value).c_str(),
              flags.neighbours.c_str());
  std::printf("%-25s %12s\n", "accountant", "epsilon");
  for (const Row& row : RowsOf(bounds)) {
    if (row.bound->epsilon) {
      std::printf("%-25s %12s\n", row.label, ShortUp(*row.bound->epsilon).c_str());
    } else {
      std::printf("%-25s %12s  %s\n", row.label, "-", row.bound->reason.c_str());
    }
  }
  const std::optional<double> best = bounds.Best();
  if (!best) return;
  std::printf(
      "\nThe smallest, %s, in words: who guesses whether one person is in the data, and would be\n"
      "right half the time by a coin, is right at most %s of the time after seeing everything.\n"
      "For a family of 2 that is %s, of 4 %s.\n",
      ShortUp(*best).c_str(), PercentUp(GuessChance(*best, delta, 1)).c_str(),
      PercentUp(GuessChance(*best, delta, 2)).c_str(),
      PercentUp(GuessChance(*best, delta, 4)).c_str());
}

double NearestDouble(const Rational& value) {
  const double up = ToDoubleUp(value);
  const double down = ToDoubleDown(value);
  return RationalOf(up) - value <= value - RationalOf(down) ? up : down;
}

void PrintJson(const EpsilonBounds& bounds, const Delta& delta, const AccountFlags& flags) {
  nlohmann::ordered_json out;
  nlohmann::ordered_json reasons = nlohmann::ordered_json::object();
  out["delta"] = NearestDouble(delta.value);
  out["neighbours"] = flags.neighbours;
  for (const Row& row : RowsOf(bounds)) {
    if (row.bound->epsilon) {
      out[row.key] = *row.bound->epsilon;
    } else {
      out[row.key] = nullptr;
      reasons[row.key] = row.bound->reason;
    }
  }
  if (bounds.pld.upper.epsilon) {
    out["pld_lower"] = bounds.pld.lower;
  } else {
    out["pld_lower"] = nullptr;
  }
  out["reasons"] = reasons;
  if (const std::optional<double> best = bounds.Best()) {
    out["guess_chance"] = {{"person", GuessChance(*best, delta, 1)},
                           {"family_of_2", GuessChance(*best, delta, 2)},
                           {"family_of_4", GuessChance(*best, delta, 4)}};
  } else {
    out["guess_chance"] = nullptr;
  }
  std::printf("%s\n", out.dump(2).c_str());
}

Result<Done> RunAccount(const AccountFlags& flags) {
  std::vector<accounting::Term> terms;
  for (const std::string& text : flags.terms) {
    TACIT_TRY(accounting::Term term, accounting::ParseTerm(text));
    terms.push_back(std::move(term));
  }
  TACIT_TRY(const Rational delta_value, ReadNumber("--delta", flags.delta));
  TACIT_TRY(const Delta delta, CheckedDelta(delta_value, "--delta"));
  if (delta.value != 0 && delta.value < RationalOf(1e-100)) {
    return InvalidArgument("--delta must be 0 or at least 1e-100");
  }
  const Neighbours neighbours =
      flags.neighbours == "replace_one" ? Neighbours::kReplaceOne : Neighbours::kAddRemove;
  const EpsilonBounds bounds = accounting::EpsilonBoundsFor(terms, delta, neighbours);
  (flags.format == "json" ? PrintJson : PrintTable)(bounds, delta, flags);
  return Done{};
}

// Terms are easier to copy than to explain, so the help begins with some.
constexpr const char* kAccountExamples = R"(
Examples:
  tacit account laplace:0.1*100 --delta 1e-5          a hundred counts at epsilon 0.1
  tacit account sgaussian:sigma=1,q=0.01*1000 --delta 1e-5 --format json
  tacit account laplace:0.1*100 gaussian:sigma=10*5 approx:1,1e-6 --delta 1e-5

)";

constexpr const char* kAccountTerms = R"(
A TERM is KIND:PARAMETERS, with *COUNT for the same release COUNT times:
  laplace:EPS                          Laplace noise of scale sensitivity / EPS
  gaussian:sigma=S                     Gaussian noise, S in units of the L2 sensitivity
  sgaussian:sigma=S,q=Q                the same on a Poisson sample of rate Q
  dlaplace:scale=S[,sensitivity=D]     discrete Laplace noise on whole numbers
  dgaussian:sigma=S                    discrete Gaussian noise on whole numbers
  pure:EPS, approx:EPS,DELTA           anything with that guarantee
  exponential:EPS                      the exponential mechanism
The releases are fixed beforehand; every epsilon is rounded up.)";

}  // namespace

void AddAccountCommand(Command app) {
  Command command =
      app.Subcommand("account", "What releases cost together, under every accountant");
  command.Opening(kAccountExamples);
  command.Footer(kAccountTerms);
  auto flags = std::make_shared<AccountFlags>();
  command.Value("TERM", flags->terms, "the releases").Required();
  command.Value("--delta", flags->delta, "the chance that epsilon may fail, in [0, 1)");
  command.Value("--neighbours", flags->neighbours, "what one step between databases is")
      .OneOf({"add_remove", "replace_one"});
  command.Value("--format", flags->format, "table or json").OneOf({"table", "json"});
  command.Action([flags] {
    const Result<Done> done = RunAccount(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
