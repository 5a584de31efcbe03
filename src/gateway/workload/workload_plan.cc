#include "gateway/workload/workload_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/secrets/digest.h"
#include "gateway/workload/bought.h"
#include "plan/price/draft.h"
#include "plan/price/price.h"
#include "plan/workload/measured_release.h"

namespace tacit::gateway::workload {
namespace {

using plan::workload::AskedTable;
using plan::workload::AttributeSet;
using plan::workload::MeasuredRelease;
using plan::workload::Place;
using plan::workload::Precisions;
using plan::workload::RangeSum;
using plan::workload::RangeWish;

// What rounding an estimate to the grid adds to its variance, at most.
constexpr double kRoundingVariance = 0.25;
// A scale that is a hair below the one that is asked for serves, whatever was rounded.
constexpr double kHair = 1e-6;
// A price of all is hit from below, this near.
constexpr int kTotalSteps = 6;
constexpr double kNearTheTotal = 0.99;
constexpr double kBelowTheTotal = 1e-4;

// A number with nine digits that is not below.
Rational DigitsUp(double value) {
  TACIT_ASSERT(value > 0 && std::isfinite(value));
  const int places = 8 - static_cast<int>(std::floor(std::log10(value)));
  Rational scale = 1;
  for (int i = 0; i < std::abs(places); ++i) scale *= 10;
  if (places < 0) scale = 1 / scale;
  return Rational(Rational(CeilOf(Rational(RationalOf(value) * scale))) / scale);
}

Error NoConstants(const std::string& text) {
  return Error{
      .code = ErrorCode::kUnsupported,
      .public_message = "a workload cannot hold a question whose filter uses another noisy answer",
      .hint = "ask it by itself, after the workload: " + text,
      .position = std::nullopt,
      .private_detail = ""};
}

class Planner {
 public:
  Planner(const policy::Privacy& privacy, plan::workload::Division division) : privacy_(&privacy) {
    plan_.tables = plan::workload::Tables(std::move(division));
  }

  Result<Done> Add(const PricedQuestion& question) {
    for (const plan::Release& release : question.plan.releases) {
      for (const plan::Parameter& parameter : release.parameters) {
        if (std::holds_alternative<plan::ReleasedConstant>(parameter)) {
          return NoConstants(question.request.text);
        }
      }
    }
    plan_.questions.push_back({.text = question.request.text,
                               .marked_by = MarkedBy(question.plan),
                               .epsilon = question.epsilon,
                               .columns = question.plan.columns});
    if (!AddShared(question)) {
      for (const plan::Release& release : question.plan.releases) AddOwn(release);
    }
    return Done{};
  }

  // What all of it costs, were nothing left out that something else tells.
  double RhoOfAll() const {
    double rho = 0;
    for (size_t i = 0; i < plan_.tables.families().size(); ++i) {
      const plan::workload::Family& family = plan_.tables.families()[i];
      for (const auto& [set, precision] : PrecisionsFor(i)) {
        const Integer moved = plan::workload::MovedSquared(plan_.tables, family, set, *privacy_);
        rho += precision * moved.get_d() / 2;
      }
    }
    for (const auto& [fingerprint, release] : own_) rho += release.cost.rho.get_d();
    return rho;
  }

  Result<WorkloadPlan> Finish(engine::Engine& engine) {
    plan_.fingerprint = FingerprintOfAll();
    TACIT_CHECK(Measure());
    plan_.measured = plan_.to_draw.releases.size();
    std::vector<plan::Release> own;
    for (auto& [fingerprint, release] : own_) own.push_back(std::move(release));
    TACIT_TRY(plan_.made, TakeOutWhatFollows(own, engine));
    for (MadeOfOthers& made : plan_.made) {
      for (plan::MeasureSource& source : made.derivation) source.table += plan_.measured;
    }
    for (plan::Release& release : own) plan_.to_draw.releases.push_back(std::move(release));
    for (size_t i = 0; i < plan_.to_draw.releases.size(); ++i) {
      plan::Release& release = plan_.to_draw.releases[i];
      release.name = "tacit_noisy_" + std::to_string(i + 1);
      plan_.to_draw.cost.epsilon += release.cost.epsilon;
      plan_.to_draw.cost.delta += release.cost.delta;
      plan_.to_draw.cost.rho += release.cost.rho;
    }
    plan_.to_draw.fingerprint = plan_.fingerprint;
    SetScales();
    return std::move(plan_);
  }

 private:
  // Whether every release of the question is cells of tables; then they are asked for.
  bool AddShared(const PricedQuestion& question) {
    if (privacy_->accounting != policy::Accounting::kZcdp || !question.facts.levels.empty()) {
      return false;
    }
    const std::vector<plan::Draft> drafts = plan::MakeDrafts(question.facts, *privacy_);
    std::vector<DerivedTable> derived;
    const plan::workload::Tables before = plan_.tables;
    // Numbers of two ranges in one question may be off together: they are measured by themselves.
    const bool in_ranges = question.plan.releases.size() == 1;
    for (const plan::Draft& draft : drafts) {
      if (draft.block.IsFree()) continue;
      const plan::Release& release = question.plan.releases[derived.size()];
      std::optional<AskedTable> asked = plan_.tables.Add(draft.block, in_ranges);
      const bool wide = std::all_of(
          release.measures.begin(), release.measures.end(),
          [](const plan::Measure& measure) { return measure.scale >= 2 * measure.step; });
      if (!asked || !wide || asked->measures.size() != release.measures.size()) {
        plan_.tables = before;
        return false;
      }
      derived.push_back({std::move(*asked), draft.block, release});
    }
    for (DerivedTable& table : derived) Wish(std::move(table));
    return true;
  }

  // The same table again has the finer of both wishes.
  void Wish(DerivedTable table) {
    const auto known = derived_.find(table.release.fingerprint);
    if (known == derived_.end()) {
      derived_.emplace(table.release.fingerprint, plan_.derived.size());
      plan_.derived.push_back(std::move(table));
      return;
    }
    std::vector<plan::Measure>& measures = plan_.derived[known->second].release.measures;
    for (size_t i = 0; i < measures.size(); ++i) {
      if (table.release.measures[i].scale < measures[i].scale) {
        measures[i] = table.release.measures[i];
      }
    }
  }

  void AddOwn(const plan::Release& release) {
    const auto [known, is_new] = own_.emplace(release.fingerprint, release);
    if (is_new) return;
    const bool finer = known->second.cost.rho < release.cost.rho ||
                       known->second.cost.epsilon < release.cost.epsilon;
    if (finer) known->second = release;
  }

  std::string FingerprintOfAll() const {
    std::string text = "tacit workload 1\n";
    for (const DerivedTable& table : plan_.derived) {
      text += table.release.fingerprint;
      for (const plan::Measure& measure : table.release.measures) {
        text += " " + ToString(measure.scale);
      }
      text += "\n";
    }
    for (const auto& [fingerprint, release] : own_) {
      text += fingerprint;
      for (const Rational& scale : release.scales) text += " " + ToString(scale);
      text += "\n";
    }
    for (const ServedQuestion& question : plan_.questions) {
      text += question.marked_by + " " + ToString(question.epsilon) + "\n";
    }
    return Sha256Hex(text);
  }

  plan::workload::CellCounts CountsOf(const plan::workload::Family& family) const {
    plan::workload::CellCounts counts;
    for (const auto& attribute : plan_.tables.sources()[family.source].attributes) {
      counts.push_back(attribute.Cells());
    }
    return counts;
  }

  Precisions PrecisionsFor(size_t family) const {
    return plan::workload::ChoosePrecisions(CountsOf(plan_.tables.families()[family]),
                                            WishedOf(family), RangesOf(family));
  }

  Result<Done> Measure() {
    for (const plan::workload::Family& family : plan_.tables.families()) {
      MeasuredFamily measured;
      measured.counts = CountsOf(family);
      measured.precisions = PrecisionsFor(plan_.families.size());
      for (auto& [set, precision] : measured.precisions) {
        const Integer moved = plan::workload::MovedSquared(plan_.tables, family, set, *privacy_);
        const Rational rho = DigitsUp(precision * moved.get_d() / 2);
        TACIT_TRY(plan::Release release, MeasuredRelease(plan_.tables, family, set, Rho(rho),
                                                         *privacy_, plan_.fingerprint, ""));
        // As it is drawn: the scale is written rounded up.
        const double scale = Rational(release.measures[0].scale / release.measures[0].step).get_d();
        precision = 1 / (scale * scale);
        measured.releases.emplace(set, plan_.to_draw.releases.size());
        plan_.to_draw.releases.push_back(std::move(release));
      }
      plan_.families.push_back(std::move(measured));
    }
    return Done{};
  }

  // The precision that each table of a family needs, in steps of its grid.
  Precisions WishedOf(size_t family) const {
    Precisions wished;
    for (const DerivedTable& table : plan_.derived) {
      for (size_t i = 0; i < table.asked.measures.size(); ++i) {
        const Place& place = table.asked.measures[i];
        if (place.family != family || place.range) continue;
        double& precision = wished[place.set];
        precision = std::max(precision, 1 / VarianceWished(table.release.measures[i]));
      }
    }
    return wished;
  }

  // The ranges that are asked of a family, and the variance that each needs.
  std::vector<RangeWish> RangesOf(size_t family) const {
    std::vector<RangeWish> wished;
    for (const DerivedTable& table : plan_.derived) {
      for (size_t i = 0; i < table.asked.measures.size(); ++i) {
        const Place& place = table.asked.measures[i];
        if (place.family != family || !place.range) continue;
        wished.push_back({SumOf(place), VarianceWished(table.release.measures[i])});
      }
    }
    return wished;
  }

  // Before rounding to the grid, in its steps.
  static double VarianceWished(const plan::Measure& measure) {
    const double scale = Rational(measure.scale / measure.step).get_d() * (1 - kHair);
    return scale * scale - kRoundingVariance;
  }

  static RangeSum SumOf(const Place& place) {
    RangeSum sum{.keys = place.set,
                 .digits = place.range->digits,
                 .from = place.range->from,
                 .to = place.range->to};
    for (const size_t digit : sum.digits) sum.keys &= ~(AttributeSet{1} << digit);
    return sum;
  }

  // What is written down for a derived table is what it has, and never above its wish.
  void SetScales() {
    for (DerivedTable& table : plan_.derived) {
      std::vector<Rational> scales;
      for (size_t i = 0; i < table.asked.measures.size(); ++i) {
        const Place& place = table.asked.measures[i];
        const MeasuredFamily& family = plan_.families[place.family];
        const double variance =
            place.range
                ? plan::workload::VarianceOf(family.counts, family.precisions, SumOf(place))
                : 1 / plan::workload::PrecisionOf(family.counts, family.precisions, place.set);
        const plan::Measure& measure = table.release.measures[i];
        const Rational scale =
            Rational(DigitsUp(std::sqrt(variance + kRoundingVariance)) * measure.step);
        TACIT_ASSERT(scale <= measure.scale);
        scales.push_back(scale);
      }
      table.release.scales = std::move(scales);
    }
  }

  const policy::Privacy* privacy_;
  WorkloadPlan plan_;
  std::map<std::string, plan::Release> own_;
  std::map<std::string, size_t> derived_;
};

// Into how many parts an interval is divided at most: everything that was worth it somewhere.
constexpr size_t kBases[] = {2, 3, 4, 5, 8, plan::workload::kTableCellsMax};

Result<Planner> PlannerOf(const std::vector<const PricedQuestion*>& questions,
                          const policy::Privacy& privacy, plan::workload::Division division) {
  Planner planner(privacy, std::move(division));
  for (const PricedQuestion* question : questions) TACIT_CHECK(planner.Add(*question));
  return planner;
}

// Of all ways to measure ranges, each by itself among them, the one that costs least.
Result<Planner> CheapestPlanner(const std::vector<const PricedQuestion*>& questions,
                                const policy::Privacy& privacy) {
  TACIT_TRY(Planner cheapest, PlannerOf(questions, privacy, {}));
  if (privacy.accounting != policy::Accounting::kZcdp) return cheapest;
  std::vector<plan::workload::CutColumn> cuts;
  for (const PricedQuestion* question : questions) {
    if (question->plan.releases.size() != 1) continue;
    for (const analysis::Block& block : question->facts.blocks) {
      if (!block.IsFree()) plan::workload::AddCuts(block, cuts);
    }
  }
  if (cuts.empty()) return cheapest;
  double least = cheapest.RhoOfAll();
  for (const size_t base : kBases) {
    TACIT_TRY(Planner planner, PlannerOf(questions, privacy, {.cuts = cuts, .base = base}));
    const double rho = planner.RhoOfAll();
    if (!(rho < least)) continue;
    least = rho;
    cheapest = std::move(planner);
  }
  return cheapest;
}

Result<WorkloadPlan> PlanAll(const std::vector<Request>& questions,
                             const std::optional<Epsilon>& each, const Services& services) {
  std::vector<const PricedQuestion*> asked;
  std::map<std::string, PricedQuestion> priced;  // the same text and wish is planned once
  for (Request question : questions) {
    if (each) {
      question.wish.error.reset();
      question.wish.epsilon = each;
    }
    std::string key = question.text + "\n";
    if (question.wish.epsilon) key += ToString(question.wish.epsilon->value);
    if (question.wish.error) key += "\n" + plan::ErrorText(*question.wish.error);
    auto known = priced.find(key);
    if (known == priced.end()) {
      TACIT_TRY(PricedQuestion made, PriceQuestion(question, services));
      known = priced.emplace(std::move(key), std::move(made)).first;
    }
    asked.push_back(&known->second);
  }
  TACIT_TRY(Planner planner, CheapestPlanner(asked, services.policy.privacy));
  return planner.Finish(services.engine);
}

}  // namespace

Result<WorkloadPlan> PlanWorkload(const std::vector<Request>& questions,
                                  const std::optional<Epsilon>& total, const Services& services) {
  if (!total) return PlanAll(questions, std::nullopt, services);
  const policy::Privacy& privacy = services.policy.privacy;
  const bool pure = privacy.accounting == policy::Accounting::kPure;
  const Rational least = plan::LeastPrice(privacy).value;
  const Rational& most = privacy.query.epsilon_max.value;
  const double limit = pure ? total->value.get_d() : RhoOfPure(*total).value.get_d();
  Rational each = std::min(privacy.query.epsilon.value, total->value);
  TACIT_TRY(WorkloadPlan plan, PlanAll(questions, Epsilon(each), services));
  // Prices are nearly linear in epsilon, or in its square: a few steps hit the total from below.
  for (int step = 0; step < kTotalSteps; ++step) {
    const plan::Cost& cost = plan.to_draw.cost;
    const double spent = pure ? cost.epsilon.get_d() : cost.rho.get_d();
    const bool within = spent <= limit && (step > 0 || spent == 0);
    if (within && (each == most || spent >= limit * kNearTheTotal || spent == 0)) return plan;
    const double factor = pure ? limit / spent : std::sqrt(limit / spent);
    const Rational wished = Rational(each * RationalOf(factor * (1 - kBelowTheTotal)));
    Rational scale = 1;
    while (wished * scale < 100000) scale *= 10;
    each = std::min(Rational(Rational(FloorOf(Rational(wished * scale))) / scale), most);
    if (each < least) break;
    TACIT_TRY(plan, PlanAll(questions, Epsilon(each), services));
  }
  const plan::Cost& cost = plan.to_draw.cost;
  if (each >= least && (pure ? cost.epsilon.get_d() : cost.rho.get_d()) <= limit) return plan;
  return InvalidArgument("epsilon " + ToString(total->value) + " is too little for " +
                             std::to_string(questions.size()) + " questions",
                         "name more, or ask fewer questions");
}

}  // namespace tacit::gateway::workload
