#include "plan/worth.h"

#include "sql/print/canonical/canonical.h"
#include "sql/print/quote.h"

namespace tacit::plan {
namespace {

using analysis::MeasureKind;

std::string Whole(const Rational& value) { return Integer(CeilOf(value)).get_str(); }

}  // namespace

std::vector<std::string> WorthNotices(const analysis::Block& block,
                                      const std::vector<Measure>& measures) {
  std::vector<std::string> notices;
  for (const analysis::ReleasedColumn& column : block.released) {
    analysis::ForEachMeasure(column, [&](const size_t& index) {
      const analysis::ExactMeasure& measure = block.measures[index];
      const Measure& priced = measures[index];
      if (!block.counted_values.empty()) {
        notices.push_back("count(DISTINCT " + sql::QuoteIdentifierIfNeeded(block.counted_values) +
                          ") counts those values of the policy's list that more than about " +
                          Whole(Rational(2 * priced.moe95)) + " people have, and no others");
      } else if (measure.kind == MeasureKind::kDistinct) {
        notices.push_back(column.text + " is worth something where there are many more than " +
                          Whole(priced.moe95) + " values: one person can change it by " +
                          Whole(priced.sensitivity_l1));
      } else if (measure.extreme) {
        notices.push_back(column.text + " is looked for about " + Whole(priced.moe95) +
                          " rows inside the data: it is worth something where many times as many "
                          "rows match");
      }
    });
  }
  return notices;
}

}  // namespace tacit::plan
