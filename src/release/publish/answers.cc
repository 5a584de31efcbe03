#include "release/publish/answers.h"

#include <cmath>

namespace tacit::release {
namespace {

constexpr double kNormalAt95 = 1.96;

// The middle of a cell of numbers.
double MiddleOf(const Attribute& attribute, uint16_t code) {
  const double low = std::stod(TextOf(attribute, code, 0));
  const double high = std::stod(TextOf(attribute, code, 1 - 0x1p-53));
  return (low + high) / 2;
}

bool Meets(const SyntheticFile& file, const Impossible& sets, size_t row) {
  for (size_t i = 0; i < sets.columns.size(); ++i) {
    if (!sets.cells[i][file.table.codes[sets.columns[i]][row]]) return false;
  }
  return true;
}

}  // namespace

std::vector<QueryAnswer> AnswersOf(const SynthesisPlan& plan, const Published& published) {
  std::vector<QueryAnswer> answers;
  const SyntheticFile& file = published.file;
  for (size_t q = 0; q < plan.workload.size(); ++q) {
    const WorkloadQuery& asked = plan.workload[q];
    if (!asked.condition && !asked.average) continue;
    const Impossible sets = asked.condition ? asked.condition->Sets(plan.attributes) : Impossible();
    QueryAnswer answer{.text = asked.text};
    std::vector<double> middles;
    if (asked.average) {
      const Attribute& attribute = published.attributes[*asked.average];
      for (uint16_t code = 0; code < attribute.Values(); ++code) {
        middles.push_back(MiddleOf(attribute, code));
      }
    }
    double sum = 0;
    double count = 0;
    for (size_t r = 0; r < file.rows(); ++r) {
      if (!Meets(file, sets, r)) continue;
      if (asked.average) {
        const uint16_t code = file.table.codes[*asked.average][r];
        if (code >= middles.size()) continue;  // NULL
        sum += middles[code];
      }
      count += 1;
    }
    answer.rows = asked.average ? (count > 0 ? sum / count : 0) : count;
    for (const Answered& answered : file.table.answered) {
      if (answered.which != q || asked.average || answered.table.counts.size() != 1) continue;
      answer.counted = answered.table.counts[0];
      answer.margin = std::ceil(kNormalAt95 * std::sqrt(answered.table.variance));
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace tacit::release
