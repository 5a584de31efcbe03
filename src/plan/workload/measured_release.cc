#include "plan/workload/measured_release.h"

#include "analysis/types.h"
#include "base/secrets/digest.h"
#include "plan/fingerprint/fingerprint.h"
#include "plan/price/mechanism.h"
#include "plan/price/sensitivity.h"
#include "plan/release_facts.h"
#include "plan/room.h"
#include "plan/tree/from_block.h"
#include "plan/tree/walk.h"

namespace tacit::plan::workload {

Integer MovedSquared(const Tables& tables, const Family& family, AttributeSet set,
                     const policy::Privacy& privacy) {
  const analysis::Block block = MeasuredBlock(tables, family, set);
  return SensitivityOf(block.measures[0], block, privacy).l2_squared;
}

Result<Release> MeasuredRelease(const Tables& tables, const Family& family, AttributeSet set,
                                const Rho& rho, const policy::Privacy& privacy,
                                const std::string& workload, const std::string& name) {
  TACIT_ASSERT(privacy.accounting == policy::Accounting::kZcdp);
  analysis::Facts facts;
  facts.blocks.push_back(MeasuredBlock(tables, family, set));
  const analysis::Block& block = facts.blocks[0];
  Release release{.name = name,
                  .fingerprint = Sha256Hex("tacit workload table 1\n" + workload + "\n" +
                                           FingerprintsOf(facts)[0]),
                  .exact = {},
                  .parameters = {},
                  .keys = {},
                  .selection = AllGroups{},
                  .measures = {},
                  .cost = {.epsilon = 0, .delta = 0, .rho = rho.value},
                  .scales = {},
                  .made_from = {},
                  .facts = FactSentences(block, privacy),
                  .room = RoomOf(block)};
  TACIT_TRY(release.exact, tree::FromBlock(block, false));
  if (tree::UsesDeploymentKey(*release.exact)) release.parameters.push_back(DeploymentKey{});
  for (size_t i = 0; i < block.keys.size(); ++i) {
    release.keys.push_back({.name = "k" + std::to_string(i + 1),
                            .type = analysis::ValueTypeOf(block.keys[i].type),
                            .text = "",
                            .is_public = true});
  }
  TACIT_TRY(Measure measure,
            MakeMeasure(block.measures[0], block, privacy, {.epsilon = {}, .rho = rho}));
  measure.name = "m1";
  release.scales.push_back(measure.scale);
  release.measures.push_back(std::move(measure));
  return release;
}

}  // namespace tacit::plan::workload
