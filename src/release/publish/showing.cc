#include "release/publish/showing.h"

namespace tacit::release {
namespace {

const Rational kForShowing(1, 20);

}  // namespace

ShowingBudget ShowingBudgetOf(const ReleasePrice& price, size_t columns) {
  if (columns == 0) return {.columns = 0, .each = {}, .left = price.rho};
  const Rational each = MakeRational(static_cast<Int128>(columns));
  return {.columns = columns,
          .each = {.rho = Rational(price.rho.value * kForShowing / each),
                   .delta = Delta(Rational(price.showing.value / each))},
          .left = Rho(Rational(price.rho.value * Rational(1 - kForShowing)))};
}

// proof: release/proof.md#5-what-showing-values-costs
ShownValues ShowOpen(const Moved& moved, const ShowingPrice& each, ExactTable& exact,
                     std::vector<Attribute>& attributes, Entropy& entropy) {
  ShownValues shown;
  for (const OpenColumn& open : exact.open) {
    shown.push_back(ShowValues(open, moved, each, exact.joint, entropy));
    attributes[open.column] = WithValues(attributes[open.column], shown.back());
  }
  return shown;
}

}  // namespace tacit::release
