#include "plan/compile.h"

#include <algorithm>
#include <map>

#include "analysis/blocks/block_map.h"
#include "analysis/tables_above.h"
#include "analysis/types.h"
#include "plan/above/finish.h"
#include "plan/above/margins.h"
#include "plan/above/post.h"
#include "plan/cut_off.h"
#include "plan/fingerprint/fingerprint.h"
#include "plan/left_out.h"
#include "plan/people_words.h"
#include "plan/price/draft.h"
#include "plan/price/error_target.h"
#include "plan/price/levels.h"
#include "plan/release_facts.h"
#include "plan/room.h"
#include "plan/tree/from_block.h"
#include "plan/tree/walk.h"
#include "plan/worth.h"
#include "sql/functions/own_functions.h"
#include "sql/print/query.h"

namespace tacit::plan {
namespace {

void Add(Cost& total, const Cost& part) {
  total.epsilon += part.epsilon;
  total.delta += part.delta;
  total.rho += part.rho;
}

// The precision of a release: every scale, and how many people a shown group needs.
std::vector<Rational> ScalesOf(const Release& release) {
  std::vector<Rational> scales;
  for (const Measure& measure : release.measures) scales.push_back(measure.scale);
  if (const auto* noisy = std::get_if<NoisyThreshold>(&release.selection)) {
    scales.push_back(MakeRational(noisy->mechanism.threshold()));
  }
  if (const auto* units = std::get_if<UnitsChoice>(&release.selection)) {
    scales.push_back(MakeRational(static_cast<Int128>(units->mechanism.ShownAtLeastHalf())));
    scales.push_back(MakeRational(static_cast<Int128>(units->mechanism.ShownAlways())));
  }
  return scales;
}

std::vector<KeyColumn> KeysOf(const analysis::Block& block) {
  std::vector<KeyColumn> keys;
  for (const size_t i : block.ShownKeys()) {
    const analysis::Key& key = block.keys[i];
    keys.push_back({.name = "k" + std::to_string(i + 1),
                    .type = analysis::ValueTypeOf(key.type),
                    .text = WordsOf(key.expression, block),
                    .is_public = key.IsPublic()});
  }
  return keys;
}

// Which output columns a measure feeds, for EXPLAIN: the first that shows it.
void NameColumns(Release& release, size_t block_index, const analysis::Facts& facts,
                 const analysis::Block& drafted) {
  const analysis::Block& block = facts.blocks[block_index];
  const auto name = [&](size_t measure, const std::string& column) {
    if (release.measures[measure].column.empty()) release.measures[measure].column = column;
  };
  for (size_t i = 0; i < block.released.size(); ++i) {
    std::string column = block.released[i].text;
    for (const analysis::PostColumn& output : facts.columns) {
      if (output.shows == std::pair(block_index, i)) column = output.name;
    }
    analysis::ForEachMeasure(block.released[i], [&](const size_t& measure) {
      name(measure, column);
      if (!analysis::ReadsCells(drafted.measures[measure])) return;
      for (const auto part : {analysis::QuantilePart::kLowEnd, analysis::QuantilePart::kHighEnd}) {
        if (const std::optional<size_t> end = EndOf(measure, part, drafted)) name(*end, column);
      }
    });
  }
}

class Compiler {
 public:
  Compiler(const analysis::Facts& facts, const policy::Privacy& privacy)
      : facts_(WithOwnLevels(facts, privacy)),
        privacy_(privacy),
        drafts_(MakeDrafts(facts_, privacy)) {}

  Result<PrivatePlan> Run(const Wish& wish, const std::vector<Derivation>& made_of) {
    TACIT_TRY(Price price, PriceOf(wish, privacy_));
    if (wish.error) {
      TACIT_TRY(const ErrorPrice bought,
                PriceForError(facts_, drafts_, privacy_, price, *wish.error));
      price = bought.price;
      targets_ = bought.after;
    }
    const bool in_steps = std::any_of(targets_.begin(), targets_.end(),
                                      [](const auto& target) { return target.has_value(); });
    if (wish.first_step && in_steps) {
      TACIT_ASSERT(*wish.first_step <= privacy_.query.epsilon_max);
      price.epsilon = Epsilon(std::max(price.epsilon.value, wish.first_step->value));
    }
    TACIT_TRY(priced_, PriceDrafts(drafts_, privacy_, price));
    SayErrorsOf(made_of);
    TakeCaps();
    fingerprints_ = FingerprintsOf(facts_);
    plan_.fingerprint = FingerprintOf(facts_, fingerprints_);
    for (size_t i = 0; i < drafts_.size(); ++i) TACIT_CHECK(AddBlock(i));
    if (facts_.recursive) AddNotice("a recursive query stops after 1,000 steps");
    AddPublicReads();
    AddWhatHasNoError();
    TACIT_CHECK(AddPost(wish.intervals));
    AddColumns();
    if (wish.nonnegative) ShowNoneBelowZero();
    for (const Release& release : plan_.releases) Add(plan_.cost, release.cost);
    if (!plan_.releases.empty()) {
      // The price asked is the price paid.
      TACIT_ASSERT(privacy_.accounting == policy::Accounting::kZcdp ||
                   plan_.cost.epsilon == price.epsilon.value);
      plan_.cost.epsilon = price.epsilon.value;
    }
    if (!target_of_column_.empty()) AddNotice(StepsNotice(*wish.error));
    return std::move(plan_);
  }

 private:
  // The drafts begin with the measures that were asked for.
  void TakeCaps() {
    for (size_t i = 0; i < drafts_.size(); ++i) {
      analysis::Block& block = facts_.blocks[i];
      block.group_cap = drafts_[i].block.group_cap;
      for (size_t m = 0; m < block.measures.size(); ++m) {
        block.measures[m].cap = drafts_[i].block.measures[m].cap;
        block.measures[m].own_sum = drafts_[i].block.measures[m].own_sum;
      }
    }
  }

  // The noise of what the releases are made of, instead of what would be drawn.
  void SayErrorsOf(const std::vector<Derivation>& made_of) {
    size_t release = 0;
    for (size_t i = 0; i < drafts_.size() && !made_of.empty(); ++i) {
      if (drafts_[i].block.IsFree()) continue;
      const Derivation& derivation = made_of.at(release++);
      for (size_t m = 0; m < derivation.size(); ++m) {
        Measure& measure = priced_[i].measures.at(m);
        if (derivation[m].noise) measure.mechanism = *derivation[m].noise;
        measure.scale = derivation[m].scale;
        measure.moe95 = derivation[m].moe95;
      }
    }
  }

  Result<Done> AddBlock(size_t index) {
    const analysis::Block& block = drafts_[index].block;
    if (block.IsFree()) {
      tree::PublicRows rows = tree::OneRow{};
      if (!block.keys.empty()) {
        TACIT_TRY(rows, tree::KeysOf(block));
      }
      plan_.public_tables.push_back({.name = NoisyTableName(index), .rows = std::move(rows)});
      release_of_block_.push_back(std::nullopt);
      return Done{};
    }
    const bool with_units = std::holds_alternative<UnitsChoice>(priced_[index].selection);
    TACIT_TRY(const tree::Exact exact, tree::FromBlock(block, with_units));
    Release release{.name = NoisyTableName(index),
                    .fingerprint = fingerprints_[index],
                    .exact = exact,
                    .parameters = {},
                    .keys = KeysOf(block),
                    .selection = priced_[index].selection,
                    .measures = priced_[index].measures,
                    .cost = {},
                    .scales = {},
                    .made_from = {},
                    .facts = FactSentences(block, privacy_),
                    .room = RoomOf(block)};
    for (std::string& sentence : LevelSentences(facts_, index)) {
      release.facts.push_back(std::move(sentence));
    }
    NameColumns(release, index, facts_, block);
    TACIT_CHECK(AddParameters(release, block));
    for (const Measure& measure : release.measures) Add(release.cost, measure.cost);
    if (const auto* units = std::get_if<UnitsChoice>(&release.selection)) {
      Add(release.cost, units->cost);
    }
    if (const auto* noisy = std::get_if<NoisyThreshold>(&release.selection)) {
      release.cost.delta += noisy->mechanism.delta().value;
    }
    release.scales = ScalesOf(release);
    release.shape = ShapeFor(release, block);
    AddNotice(NoticeOf(release.selection));
    for (std::string& notice : LeftOutNotices(block)) AddNotice(std::move(notice));
    AddNotice(CapNotice(block));
    for (std::string& notice : WorthNotices(block, release.measures)) AddNotice(std::move(notice));
    release_of_block_.push_back(plan_.releases.size());
    plan_.releases.push_back(std::move(release));
    return Done{};
  }

  static std::optional<Shape> ShapeFor(const Release& release, const analysis::Block& block) {
    std::vector<noise::AnyMechanism> mechanisms;
    for (const Measure& measure : release.measures) mechanisms.push_back(measure.mechanism);
    return ShapeOf(block, mechanisms);
  }

  Result<Done> AddPost(bool intervals) {
    const std::vector<size_t> margins = ColumnsWithMargins(facts_);
    Widened plain{.query = facts_.post, .columns = facts_.columns, .places = {}};
    Widened computed = plain;
    if (intervals) {
      plain = WithIntervals(facts_, drafts_, priced_, margins, false);
      computed = WithIntervals(facts_, drafts_, priced_, margins, true);
    }
    if (!margins.empty()) {
      TACIT_TRY(plan_.margin_sql, MarginSql(computed.query, facts_, drafts_, priced_));
    }
    const auto place = [&](size_t column) { return intervals ? plain.places[column] : column; };
    places_.clear();
    for (size_t i = 0; i < facts_.columns.size(); ++i) places_.push_back(place(i));
    for (size_t i = 0; i < margins.size(); ++i) margin_of_column_[place(margins[i])] = i;
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i]) target_of_column_.emplace(place(i), *targets_[i]);
    }
    facts_.post = plain.query;
    facts_.columns = std::move(plain.columns);
    TACIT_TRY(plan_.post_sql, PostSql(facts_.post, facts_, drafts_, priced_));
    return Done{};
  }

  // Of a number that has neither an error nor a margin, that is said; of percentiles in an array,
  // how many ranks they may be off.
  void AddWhatHasNoError() {
    const std::vector<size_t> margins = ColumnsWithMargins(facts_);
    for (size_t i = 0; i < facts_.columns.size(); ++i) {
      const analysis::PostColumn& column = facts_.columns[i];
      const bool has =
          column.shows || std::find(margins.begin(), margins.end(), i) != margins.end();
      // Of what is chosen, plan/worth.h says what it is worth.
      if (has || !column.noisy || column.chosen) continue;
      if (ElementType(i)) {
        AddNotice("in 95 % of answers each of " + column.name + " stands at most " +
                  Integer(CeilOf(RanksOff())).get_str() + " ranks from the true one");
      } else if (analysis::ValueTypeOf(column.type).IsNumber()) {
        AddNotice("how far off " + column.name + " may be cannot be computed");
      }
    }
  }

  // Of the percentiles that are released, the most.
  Rational RanksOff() const {
    Rational most = 0;
    for (size_t i = 0; i < drafts_.size(); ++i) {
      const std::vector<analysis::ExactMeasure>& measures = drafts_[i].block.measures;
      for (size_t k = 0; k < measures.size(); ++k) {
        const bool is_percentile = measures[k].kind == analysis::MeasureKind::kQuantile &&
                                   !measures[k].extreme &&
                                   measures[k].part == analysis::QuantilePart::kValue;
        if (is_percentile) most = std::max(most, priced_[i].measures[k].moe95);
      }
    }
    return most;
  }

  // Of a plan that is a first step; what its answer says decides the next one.
  std::string StepsNotice(const ErrorWish& wish) const {
    return "how far off this will be shows in what is released: this much is charged first, then "
           "more until the error is within " +
           ErrorText(wish) + ", at most epsilon " + ToString(privacy_.query.epsilon_max.value) +
           " in all";
  }

  void AddNotice(std::string notice) {
    const bool is_new =
        std::find(plan_.notices.begin(), plan_.notices.end(), notice) == plan_.notices.end();
    if (!notice.empty() && is_new) plan_.notices.push_back(std::move(notice));
  }

  Result<Done> AddParameters(Release& release, const analysis::Block& block) {
    for (const analysis::Constant& constant : block.constants) {
      TACIT_TRY(std::string sql, PostSql(constant.query, facts_, drafts_, priced_));
      release.parameters.push_back(ReleasedConstant{.sql = std::move(sql),
                                                    .type = analysis::ValueTypeOf(constant.type),
                                                    .made_from = ReleasesOf(block.made_from)});
    }
    release.made_from = ReleasesOf(block.made_from);
    if (tree::UsesDeploymentKey(*release.exact)) release.parameters.push_back(DeploymentKey{});
    return Done{};
  }

  std::vector<size_t> ReleasesOf(const std::vector<size_t>& blocks) const {
    std::vector<size_t> releases;
    for (const size_t block : blocks) {
      if (release_of_block_[block]) releases.push_back(*release_of_block_[block]);
    }
    return releases;
  }

  void AddPublicReads() {
    for (const analysis::PublicRead& read : facts_.public_reads) {
      tree::PublicColumns rows{.table = read.table, .columns = {}};
      for (const policy::SchemaColumn& column : read.columns) {
        rows.columns.emplace_back(column.name, column.name);
      }
      plan_.public_tables.push_back({.name = read.name, .rows = std::move(rows)});
    }
  }

  // What an array holds that the query shows as it is; further up it is a text.
  std::optional<ValueType> ElementType(size_t column) const {
    const auto* select = sql::As<sql::Select>(facts_.post);
    if (select == nullptr || select->items.size() != facts_.columns.size()) return std::nullopt;
    const auto* array = sql::As<sql::Call>(select->items[column].expression);
    if (array == nullptr || array->name != sql::kArrayFunction) return std::nullopt;
    sql::Select elements = *select;
    elements.items.clear();
    for (const sql::Expression& element : array->arguments) elements.items.push_back({element, ""});
    sql::QueryNode node = *facts_.post;
    node.body = std::move(elements);
    node.order_by.clear();
    const Result<std::vector<sql::TypedColumn>> columns =
        sql::ColumnsOf(sql::Query(std::move(node)), analysis::TablesAbove(facts_));
    if (!columns.ok()) return std::nullopt;
    const sql::Type first = columns->front().type;
    for (const sql::TypedColumn& element : *columns) {
      if (element.type != first) return std::nullopt;
    }
    return analysis::ValueTypeOf(first);
  }

  void AddColumns() {
    for (size_t i = 0; i < facts_.columns.size(); ++i) {
      const analysis::PostColumn& column = facts_.columns[i];
      const std::optional<ValueType> element = ElementType(i);
      OutputColumn output{.name = column.name,
                          .type = element.value_or(analysis::ValueTypeOf(column.type)),
                          .is_array = element.has_value(),
                          .error = std::nullopt};
      if (column.shows) {
        const auto [block, index] = *column.shows;
        const ErrorEstimate estimate = ErrorOf(drafts_[block].block.released[index],
                                               drafts_[block].block, priced_[block].measures);
        output.error = ColumnError{.mechanism = estimate.measure->mechanism->Name(),
                                   .in_rows = estimate.measure->mechanism->ReadsCells(),
                                   .of_mode = estimate.measure->aggregate == "mode",
                                   .scale = estimate.measure->scale,
                                   .moe95 = estimate.moe95,
                                   .condition = estimate.condition};
        output.people = PeopleBehind(block, drafts_[block].block.released[index]);
      }
      const auto margin = margin_of_column_.find(i);
      if (margin != margin_of_column_.end()) output.margin = margin->second;
      const auto target = target_of_column_.find(i);
      if (target != target_of_column_.end()) output.target = target->second;
      plan_.columns.push_back(std::move(output));
    }
  }

  std::optional<CountBehind> PeopleBehind(size_t block,
                                          const analysis::ReleasedColumn& column) const {
    const auto* average = std::get_if<analysis::AverageColumn>(&column.value);
    if (average == nullptr || !release_of_block_[block]) return std::nullopt;
    return CountBehind{.release = *release_of_block_[block], .measure = average->count};
  }

  // The query's own columns that show such a number as it was released, and what stands behind each
  // of them, up to the next one: the ends of its interval.
  void ShowNoneBelowZero() {
    std::string names;
    for (size_t i = 0; i < places_.size(); ++i) {
      const auto& shows = facts_.columns[places_[i]].shows;
      if (!shows) continue;
      const analysis::Block& block = drafts_[shows->first].block;
      if (!IsNeverBelowZero(block.released[shows->second], block)) continue;
      names += (names.empty() ? "" : ", ") + facts_.columns[places_[i]].name;
      const size_t end = i + 1 < places_.size() ? places_[i + 1] : plan_.columns.size();
      for (size_t k = places_[i]; k < end; ++k) plan_.columns[k].none_below_zero = true;
    }
    if (names.empty()) return;
    AddNotice(
        "what noise took below zero is shown as 0, as you asked, and an interval ends there: " +
        names +
        ". No such number is further off for it, but sums and averages of them are too large");
  }

  // By the policy's bounds, whatever is stored.
  static bool IsNeverBelowZero(const analysis::ReleasedColumn& column,
                               const analysis::Block& block) {
    if (const auto* pair = std::get_if<analysis::PairColumn>(&column.value)) {
      return pair->statistic == analysis::PairStatistic::kCount;
    }
    if (const auto* sum = std::get_if<analysis::SumColumn>(&column.value)) {
      const analysis::ExactMeasure& measure = block.measures[sum->measure];
      return measure.grid.low_steps >= 0 && measure.centre == 0;
    }
    return std::holds_alternative<analysis::CountColumn>(column.value);
  }

  analysis::Facts facts_;
  const policy::Privacy& privacy_;
  std::vector<Draft> drafts_;
  std::vector<PricedBlock> priced_;
  std::vector<std::string> fingerprints_;
  std::vector<std::optional<size_t>> release_of_block_;
  std::vector<std::optional<ErrorTarget>> targets_;  // of the query's own columns
  std::vector<size_t> places_;  // of the query's own columns among those of the answer
  std::map<size_t, size_t> margin_of_column_;
  std::map<size_t, ErrorTarget> target_of_column_;
  PrivatePlan plan_;
};

}  // namespace

Result<PrivatePlan> Compile(const analysis::Facts& facts, const policy::Privacy& privacy,
                            const Wish& wish, const std::vector<Derivation>& made_of) {
  return Compiler(facts, privacy).Run(wish, made_of);
}

}  // namespace tacit::plan
