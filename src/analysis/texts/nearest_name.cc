#include "analysis/texts/nearest_name.h"

#include <algorithm>

#include "policy/schema.h"
#include "sql/print/quote.h"

namespace tacit::analysis {
namespace {

size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// Why 256: longer names than any database has; the distance costs their product.
constexpr size_t kNameBytesMax = 256;

}  // namespace

std::string NearestNameHint(const std::string& name, const std::vector<std::string>& candidates) {
  if (name.size() > kNameBytesMax) return "";
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kNameBytesMax) continue;
    const size_t distance = EditDistance(policy::FoldedName(name), policy::FoldedName(candidate));
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  // SELECT Unit Price: the first word of a name that has several.
  for (const std::string& candidate : candidates) {
    const std::string folded = policy::FoldedName(candidate);
    if (nearest.empty() && folded.starts_with(policy::FoldedName(name) + " ")) nearest = candidate;
  }
  return nearest.empty() ? "" : "did you mean " + sql::QuoteIdentifierIfNeeded(nearest) + "?";
}

}  // namespace tacit::analysis
