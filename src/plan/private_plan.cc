#include "plan/private_plan.h"

namespace tacit::plan {

void ForgetStatements(PrivatePlan& plan) {
  for (Release& release : plan.releases) {
    release.exact_sql.clear();
    release.stream.reset();
    release.distinct_joins.reset();
    release.sets_sql.clear();
    release.storage.clear();
  }
  for (PublicTable& table : plan.public_tables) table.exact_sql.clear();
}

}  // namespace tacit::plan
