#pragma once

#include "release/domain/coded_rows.h"
#include "release/publish/file/bytes.h"
#include "release/publish/price.h"

namespace tacit::release {

// What showing the values of open columns takes of a release's price: a twentieth of rho and half
// of delta, each column as much as another; and what is left for everything else.
struct ShowingBudget {
  size_t columns = 0;
  ShowingPrice each;
  Rho left;
};
ShowingBudget ShowingBudgetOf(const ReleasePrice& price, size_t columns);

// Shows the values of all open columns, in their order, and gives the attributes these values.
// Inside the mechanism (../proof.md).
ShownValues ShowOpen(const Moved& moved, const ShowingPrice& each, ExactTable& exact,
                     std::vector<Attribute>& attributes, Entropy& entropy);

}  // namespace tacit::release
