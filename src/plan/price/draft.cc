#include "plan/price/draft.h"

#include <algorithm>

#include "plan/above/margins.h"
#include "plan/price/cubes.h"
#include "plan/price/group_cap.h"
#include "plan/price/levels.h"
#include "plan/price/mechanism.h"
#include "plan/price/own_sum.h"

namespace tacit::plan {
namespace {

using analysis::QuantilePart;

// A mechanism that cannot be made is a price that buys nothing: the asker's to change.
Error OutOfRange(Error error) {
  error.code = ErrorCode::kRefused;
  error.rule = "noise_out_of_range";
  if (error.hint.empty())
    error.hint = "ask with a larger epsilon, or bound the values more closely";
  return error;
}

Error NeedsDelta(const analysis::Block& block) {
  Error error{.code = ErrorCode::kRefused,
              .public_message = "private group keys need a delta, and the policy's is 0",
              .hint = "group by a column whose keys the policy lists, or ask the owner for a delta",
              .position = std::nullopt,
              .private_detail = ""};
  error.rule = "private_keys_need_delta";
  for (const analysis::Key& key : block.keys) {
    const int offset = key.expression->position.offset;
    if (!key.IsPublic() && offset >= 0) error.position = offset;
  }
  return error;
}

bool MayHaveInterval(const analysis::ExactMeasure& measure) {
  return measure.kind == analysis::MeasureKind::kQuantile && !measure.extreme;
}

void AddIntervals(analysis::Block& block) {
  const size_t measures = block.measures.size();
  for (size_t i = 0; i < measures; ++i) {
    if (!MayHaveInterval(block.measures[i])) continue;
    for (const QuantilePart part : {QuantilePart::kLowEnd, QuantilePart::kHighEnd}) {
      analysis::ExactMeasure end = block.measures[i];
      end.part = part;
      block.measures.push_back(std::move(end));
    }
  }
}

// Why a half and two quarters: the value is what people look at, and an interval from less than a
// quarter each would be of no use.
Share PartOf(const Share& share, size_t index, const analysis::Block& block) {
  const analysis::ExactMeasure& measure = block.measures[index];
  if (!MayHaveInterval(measure) || !EndOf(index, QuantilePart::kLowEnd, block)) return share;
  const int part = measure.part == QuantilePart::kValue ? 2 : 4;
  return {.epsilon = Epsilon(Rational(share.epsilon.value / part)),
          .rho = Rho(Rational(share.rho.value / part))};
}

}  // namespace

std::optional<size_t> EndOf(size_t quantile, QuantilePart part, const analysis::Block& block) {
  analysis::ExactMeasure wanted = block.measures[quantile];
  wanted.part = part;
  for (size_t i = 0; i < block.measures.size(); ++i) {
    if (analysis::SameMeasure(block.measures[i], wanted)) return i;
  }
  return std::nullopt;
}

std::vector<Draft> MakeDrafts(const analysis::Facts& facts, const policy::Privacy& privacy) {
  std::vector<Draft> drafts;
  for (const analysis::Block& block : facts.blocks) {
    Draft draft{.block = block, .choice = {}};
    if (HasMargins(facts)) AddIntervals(draft.block);
    // Of totals too: caps follow from rows, keys and policy, which totals have from their groups,
    // so that they are of what the groups' own caps leave.
    ChooseGroupCaps(draft.block, privacy);
    LimitOwnSums(draft.block, privacy);
    if (!block.IsFree()) draft.choice = ChooseSelection(draft.block, privacy);
    drafts.push_back(std::move(draft));
  }
  for (const analysis::LevelTable& levels : facts.levels) {
    Draft& draft = drafts[levels.block];
    draft.summed =
        std::max(draft.summed, LargestVariance(levels, facts.blocks, draft.block, privacy));
  }
  return drafts;
}

size_t SharesOf(const std::vector<Draft>& drafts) {
  size_t shares = 0;
  for (const Draft& draft : drafts) {
    for (const analysis::ExactMeasure& measure : draft.block.measures) {
      shares += measure.part == QuantilePart::kValue ? 1 : 0;
    }
    shares += draft.choice.NeedsShare() ? 1 : 0;
  }
  return shares;
}

Result<std::vector<PricedBlock>> PriceDrafts(const std::vector<Draft>& drafts,
                                             const policy::Privacy& privacy, const Price& price) {
  int selections = 0;
  for (const Draft& draft : drafts) {
    if (draft.choice.kind == SelectionKind::kAll) continue;
    ++selections;
    if (price.delta.value == 0) return NeedsDelta(draft.block);
  }
  const size_t shares = SharesOf(drafts);
  std::vector<PricedBlock> priced;
  for (const Draft& draft : drafts) {
    PricedBlock block{.measures = {}, .selection = AllGroups{}};
    if (draft.block.IsFree()) {
      priced.push_back(std::move(block));
      continue;
    }
    const Share share = price.ShareOf(shares);
    const auto together = CubesOf(draft.block, draft.choice, privacy, share);
    for (size_t i = 0; i < draft.block.measures.size(); ++i) {
      const auto drawn = together.find(i);
      Result<Measure> made =
          MakeMeasure(draft.block.measures[i], draft.block, privacy, PartOf(share, i, draft.block),
                      drawn == together.end() ? nullptr : &drawn->second);
      if (!made.ok()) return OutOfRange(std::move(made).error());
      block.measures.push_back(std::move(made).value());
      block.measures.back().name = "m" + std::to_string(block.measures.size());
    }
    if (draft.choice.kind != SelectionKind::kAll) {
      const Delta delta(Rational(price.delta.value / selections));
      Result<GroupSelection> selection =
          MakeSelection(draft.choice, draft.block, privacy, block.measures, {share.epsilon, delta});
      if (!selection.ok()) return OutOfRange(std::move(selection).error());
      block.selection = std::move(selection).value();
    }
    priced.push_back(std::move(block));
  }
  return priced;
}

}  // namespace tacit::plan
