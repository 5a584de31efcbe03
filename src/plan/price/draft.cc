#include "plan/price/draft.h"

#include <algorithm>

#include "plan/above/levels.h"
#include "plan/price/group_cap.h"
#include "plan/price/mechanism.h"

namespace tacit::plan {
namespace {

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

}  // namespace

std::vector<Draft> MakeDrafts(const analysis::Facts& facts, const policy::Privacy& privacy) {
  std::vector<Draft> drafts;
  for (const analysis::Block& block : facts.blocks) {
    Draft draft{.block = block, .choice = {}};
    draft.block.group_cap = ChooseGroupCap(block, privacy);
    if (!block.IsFree()) draft.choice = ChooseSelection(draft.block, privacy);
    drafts.push_back(std::move(draft));
  }
  for (const analysis::LevelTable& levels : facts.levels) {
    Draft& draft = drafts[levels.block];
    draft.summed = std::max(draft.summed, SummedAtMost(levels, draft.block));
  }
  return drafts;
}

size_t SharesOf(const std::vector<Draft>& drafts) {
  size_t shares = 0;
  for (const Draft& draft : drafts) {
    shares += draft.block.measures.size() + (draft.choice.NeedsShare() ? 1 : 0);
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
    for (const analysis::ExactMeasure& measure : draft.block.measures) {
      Result<Measure> made = MakeMeasure(measure, draft.block, privacy, share);
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
