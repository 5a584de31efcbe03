#include "plan/private_plan.h"

namespace tacit::plan {

void ForgetStatements(PrivatePlan& plan) {
  for (Release& release : plan.releases) release.exact = {};
  for (PublicTable& table : plan.public_tables) table.rows = tree::OneRow{};
}

}  // namespace tacit::plan
