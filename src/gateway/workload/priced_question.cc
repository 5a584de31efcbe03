#include "gateway/workload/priced_question.h"

#include <cmath>

#include "gateway/answer_query.h"
#include "plan/above/finish.h"
#include "plan/price/price.h"

namespace tacit::gateway::workload {
namespace {

// Why a half: most averages lie in the middle half of their bounds, and the error of their counts
// then weighs half of what it could at most.
constexpr double kOffTheCentre = 0.5;
// Why 12 and 8: prices fall as errors rise, so that a few steps find one; then to half a per cent.
constexpr int kWorkloadSteps = 12;
constexpr int kWorkloadBisections = 5;

Error CannotBeSettled(const std::string& column) {
  return InvalidArgument("a workload cannot hold " + column + " within a part of what it shows",
                         "name its error as a number, or a price: SET tacit.epsilon = 0.1");
}

// The release of each block; nothing for a free one.
std::vector<std::optional<size_t>> ReleasesOfBlocks(const analysis::Facts& facts) {
  std::vector<std::optional<size_t>> releases;
  size_t next = 0;
  for (const analysis::Block& block : facts.blocks) {
    releases.push_back(block.IsFree() ? std::optional<size_t>() : next++);
  }
  return releases;
}

double AverageError(const analysis::AverageColumn& average, const analysis::Block& block,
                    const std::vector<plan::Measure>& measures) {
  const analysis::ExactMeasure& sum = block.measures[average.sum];
  const auto from_centre = [&](Int128 steps) {
    return std::abs(Rational(MakeRational(steps) - MakeRational(sum.centre)).get_d());
  };
  const double low = from_centre(sum.grid.low_steps);
  const double high = from_centre(sum.grid.high_steps);
  const double off = kOffTheCentre * std::max(low, high) * sum.grid.step.get_d();
  return std::hypot(measures[average.sum].moe95.get_d(),
                    off * measures[average.count].moe95.get_d()) /
         plan::kPeopleForMeans;
}

double ErrorOfReleased(const analysis::Block& block, size_t released,
                       const std::vector<plan::Measure>& measures) {
  const analysis::ReleasedColumn& column = block.released[released];
  if (const auto* average = std::get_if<analysis::AverageColumn>(&column.value)) {
    return AverageError(*average, block, measures);
  }
  return plan::ErrorOf(column, block, measures).moe95.get_d();
}

// By how much the errors of the plan are beyond the wish: at most 1 when none is. Nothing where
// nothing is wished of it.
Result<std::optional<double>> Beyond(const analysis::Facts& facts, const plan::PrivatePlan& plan,
                                     const plan::ErrorWish& wish) {
  using Found = std::optional<double>;
  const std::vector<std::optional<size_t>> releases = ReleasesOfBlocks(facts);
  const auto error_of = [&](size_t block, size_t released) {
    return ErrorOfReleased(facts.blocks[block], released, plan.releases[*releases[block]].measures);
  };
  Found beyond;
  const auto add = [&](double error, const plan::ErrorTarget& target) {
    beyond = std::max(beyond.value_or(0), error / target.error.get_d());
  };
  for (const analysis::PostColumn& column : facts.columns) {
    const plan::ErrorTarget* target = wish.Of(column.name);
    if (target == nullptr || !column.shows) continue;
    if (target->relative) return CannotBeSettled(column.name);
    add(error_of(column.shows->first, column.shows->second), *target);
  }
  // Nothing is shown as it was released: then everything that is released stays within it.
  if (!beyond && wish.others) {
    if (wish.others->relative) return CannotBeSettled("a computed number");
    for (size_t b = 0; b < facts.blocks.size(); ++b) {
      if (!releases[b]) continue;
      for (size_t i = 0; i < facts.blocks[b].released.size(); ++i)
        add(error_of(b, i), *wish.others);
    }
  }
  return beyond;
}

// Four digits, up.
Rational RoundedPrice(const Rational& price) {
  Rational scale = 1;
  while (price * scale < 1000) scale *= 10;
  return Rational(Rational(CeilOf(Rational(price * scale))) / scale);
}

}  // namespace

Result<PricedQuestion> PriceQuestion(const Request& request, const Services& services) {
  TACIT_TRY(analysis::Facts facts, FactsOf(request, services));
  const policy::Privacy& privacy = services.policy.privacy;
  plan::Wish wish = request.wish;
  const std::optional<plan::ErrorWish> error = wish.error;
  wish.error.reset();
  wish.intervals = false;
  const auto at = [&](const Rational& epsilon) {
    wish.epsilon = Epsilon(epsilon);
    return plan::Compile(facts, privacy, wish);
  };
  const Rational first = wish.epsilon ? wish.epsilon->value : privacy.query.epsilon.value;
  TACIT_TRY(plan::PrivatePlan plan, at(first));
  if (!error || plan.releases.empty()) {
    return PricedQuestion{request, std::move(facts), std::move(plan), first};
  }
  TACIT_TRY(std::optional<double> beyond, Beyond(facts, plan, *error));
  if (!beyond) return PricedQuestion{request, std::move(facts), std::move(plan), first};
  const Rational least = plan::LeastPrice(privacy).value;
  Rational epsilon = first;
  for (int step = 0; step < kWorkloadSteps && (*beyond > 1 || step == 0); ++step) {
    epsilon = std::max(RoundedPrice(Rational(epsilon * RationalOf(*beyond))), least);
    TACIT_TRY(plan, at(epsilon));
    TACIT_TRY(beyond, Beyond(facts, plan, *error));
  }
  if (*beyond > 1) {
    return InvalidArgument("no price was found for an error of " + plan::ErrorText(*error),
                           "name a price instead: SET tacit.epsilon = 0.1");
  }
  Rational too_little = Rational(epsilon * Rational(9, 10));
  for (int i = 0; i < kWorkloadBisections && too_little > least; ++i) {
    const Rational middle = RoundedPrice(Rational((epsilon + too_little) / 2));
    TACIT_TRY(plan::PrivatePlan cheaper, at(middle));
    TACIT_TRY(const std::optional<double> off, Beyond(facts, cheaper, *error));
    if (off && *off <= 1) {
      epsilon = middle;
      plan = std::move(cheaper);
    } else {
      too_little = middle;
    }
  }
  return PricedQuestion{request, std::move(facts), std::move(plan), epsilon};
}

}  // namespace tacit::gateway::workload
