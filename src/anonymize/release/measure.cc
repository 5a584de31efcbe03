#include "anonymize/release/measure.h"

#include <algorithm>
#include <cmath>

namespace tacit::anonymize {
namespace {

void MeasureSensitive(const Classes& classes, SensitiveColumn& sensitive, Measures& measures) {
  Measures::Diversity found{.distinct_l = UINT32_MAX, .entropy_l = INFINITY};
  std::vector<uint32_t> codes;
  for (size_t c = 0; c < classes.size(); ++c) {
    codes.clear();
    for (const uint32_t row : classes.RowsOf(c)) codes.push_back(sensitive.CodeOf(row));
    const Diversity diversity = sensitive.Measure(codes);
    found.distinct_l = std::min(found.distinct_l, diversity.distinct);
    found.entropy_l = std::min(found.entropy_l, std::exp(diversity.entropy));
    found.t = std::max(found.t, diversity.distance);
    if (diversity.distinct == 1) found.rows_with_one_value += static_cast<double>(codes.size());
  }
  found.rows_with_one_value /= static_cast<double>(measures.rows);
  measures.sensitive = found;
}

// The share of a column that a class leaves open.
double Penalty(const Domain& domain, Bounds bounds, Bounds whole, size_t whole_values,
               std::span<const uint32_t> rows, std::vector<uint32_t>& present) {
  if (bounds.suppressed()) return 1;
  if (bounds.low == bounds.high) return 0;
  if (domain.kind == Kind::kNumber) {
    const double range = domain.numbers[whole.high] - domain.numbers[whole.low];
    return range > 0 ? (domain.numbers[bounds.high] - domain.numbers[bounds.low]) / range : 0;
  }
  if (domain.kind == Kind::kHierarchy) {
    const Hierarchy& tree = *domain.hierarchy;
    const Hierarchy::Node& node = tree.nodes[tree.LowestOver(bounds.low, bounds.high)];
    return static_cast<double>(node.end - node.first) / static_cast<double>(tree.leaves.size());
  }
  PresentCodes(domain, rows, present);
  return static_cast<double>(present.size()) / static_cast<double>(whole_values);
}

}  // namespace

void PresentCodes(const Domain& domain, std::span<const uint32_t> rows,
                  std::vector<uint32_t>& present) {
  present.clear();
  for (const uint32_t row : rows) {
    // Classes are small and often alike: most repeats are caught before the sort.
    if (present.empty() || present.back() != domain.codes[row]) {
      present.push_back(domain.codes[row]);
    }
  }
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
}

Measures MeasureSizes(const Classes& classes, SensitiveColumn* sensitive) {
  Measures measures;
  measures.rows = classes.rows.size();
  measures.classes = classes.size();
  measures.rows_by_size.assign(std::size(kSizeSteps), 0);
  if (classes.size() == 0) return measures;
  measures.smallest = UINT64_MAX;
  for (size_t c = 0; c < classes.size(); ++c) {
    const uint64_t size = classes.begins[c + 1] - classes.begins[c];
    measures.smallest = std::min(measures.smallest, size);
    measures.largest = std::max(measures.largest, size);
    measures.discernibility += static_cast<double>(size) * static_cast<double>(size);
    const auto step = std::upper_bound(std::begin(kSizeSteps), std::end(kSizeSteps), size) -
                      std::begin(kSizeSteps) - 1;
    measures.rows_by_size[static_cast<size_t>(step)] += size;
  }
  const auto rows = static_cast<double>(measures.rows);
  measures.discernibility /= rows;
  measures.average = rows / static_cast<double>(measures.classes);
  if (sensitive != nullptr) MeasureSensitive(classes, *sensitive, measures);
  return measures;
}

Measures Measure(std::span<const Domain> domains, const Classes& classes,
                 SensitiveColumn* sensitive) {
  Measures measures = MeasureSizes(classes, sensitive);
  std::vector<uint32_t> present;
  for (size_t j = 0; j < domains.size() && measures.rows > 0; ++j) {
    const Domain& domain = domains[j];
    // A subset of a table has its own range.
    Bounds whole{UINT32_MAX, 0};
    std::vector<bool> seen(domain.size());
    for (const uint32_t row : classes.rows) {
      whole = {std::min(whole.low, domain.codes[row]), std::max(whole.high, domain.codes[row])};
      seen[domain.codes[row]] = true;
    }
    const auto whole_values = static_cast<size_t>(std::count(seen.begin(), seen.end(), true));
    double sum = 0;
    for (size_t c = 0; c < classes.size(); ++c) {
      const std::span<const uint32_t> rows = classes.RowsOf(c);
      sum += static_cast<double>(rows.size()) *
             Penalty(domain, classes.BoundsOf(c)[j], whole, whole_values, rows, present);
    }
    measures.loss_by_column.push_back(sum / static_cast<double>(measures.rows));
    measures.loss += measures.loss_by_column.back() / static_cast<double>(domains.size());
  }
  return measures;
}

}  // namespace tacit::anonymize
