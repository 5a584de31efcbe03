#include "release/domain/size.h"

#include <algorithm>
#include <numeric>

#include "release/fit/mwem.h"
#include "release/measure/open_column.h"

namespace tacit::release {
namespace {

// Why 60,000: three hundred kinds of people with a share for every cell take 72 MB.
constexpr size_t kCellsMax = 60'000;
// Why 20 million: a fit holds some fifty bytes for every cell of a pair, so that they take a
// gigabyte. Nine columns of texts that nobody listed are half of it, whatever is shown of them.
constexpr size_t kPairCellsMax = 20'000'000;

std::string Whole(size_t number) { return std::to_string(number); }

// Bins of pairs are at most these: how many there are the noise will say.
std::vector<size_t> CellsMost(const std::vector<Attribute>& attributes) {
  std::vector<size_t> cells;
  for (const Attribute& attribute : attributes) {
    const ColumnShape shape = attribute.Shape();
    cells.push_back(attribute.IsOpen() ? kShownMax + 2
                    : shape.ordered    ? std::min(shape.cells, kCoarseCellsMost + 1)
                                       : shape.cells);
  }
  return cells;
}

std::vector<size_t> First(const std::vector<size_t>& cells, size_t columns) {
  return {cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(columns)};
}

// How many cells the largest pairs have, of as many as are counted.
size_t PairCells(const std::vector<size_t>& cells) {
  std::vector<size_t> products;
  for (const auto& [a, b] : AllPairs(cells.size())) products.push_back(cells[a] * cells[b]);
  std::sort(products.begin(), products.end(), std::greater<>());
  products.resize(std::min(products.size(), PairsCounted(cells.size())));
  return std::accumulate(products.begin(), products.end(), size_t{0});
}

bool HasRoom(const std::vector<size_t>& cells) {
  return std::accumulate(cells.begin(), cells.end(), size_t{0}) <= kCellsMax &&
         PairCells(cells) <= kPairCellsMax;
}

// How many columns from the first on are good; the first one is.
template <class IsGood>
std::string HowManyFit(const std::vector<size_t>& cells, const IsGood& is_good) {
  size_t fit = 1;
  while (fit < cells.size() && is_good(First(cells, fit + 1))) ++fit;
  return "the first " + Whole(fit) + " of these columns would fit";
}

}  // namespace

Result<Done> CheckCells(const std::vector<Attribute>& attributes) {
  const std::vector<size_t> cells = CellsMost(attributes);
  if (HasRoom(cells)) return Done{};
  return InvalidArgument(
      "the columns have " + Whole(std::accumulate(cells.begin(), cells.end(), size_t{0})) +
          " cells and pairs of them " + Whole(PairCells(cells)) + ": " + Whole(kCellsMax) +
          " and " + Whole(kPairCellsMax) + " fit",
      HowManyFit(cells, HasRoom) + "; name fewer with --columns, or declare shorter lists");
}

Result<Done> CheckSize(const std::vector<Attribute>& attributes, const SynthesisWish& wish,
                       const std::vector<WorkloadQuery>& workload) {
  TACIT_CHECK(CheckCells(attributes));
  std::vector<size_t> cells = CellsMost(attributes);
  if (wish.workload == Workload::kTriples && cells.size() > kAllPairsColumns) {
    return InvalidArgument("tables of three columns are looked for among " +
                               Whole(kAllPairsColumns) + " columns, and these are " +
                               Whole(cells.size()),
                           "leave out --workload, name fewer --columns, or list the tables that "
                           "matter in a file: --workload FILE");
  }
  for (const WorkloadQuery& query : workload) {
    size_t table = query.condition ? 0 : 1;
    for (const size_t column : query.columns) {
      table = std::min(table * cells[column], kQueryCellsMax + 1);
    }
    if (table > kQueryCellsMax) {
      return InvalidArgument(
          "the table \"" + query.text + "\" has more than " + Whole(kQueryCellsMax) + " cells",
          "ask for fewer columns at once");
    }
  }
  if (wish.method != Method::kMwem) return Done{};
  if (wish.weighing.IsOn()) cells.insert(cells.begin(), wish.weighing.weights.size());
  const auto few = [](const std::vector<size_t>& of) { return Combinations(of) <= kMwemCellsMax; };
  if (few(cells)) return Done{};
  return InvalidArgument(
      "mwem keeps a weight for every combination of cells, and these columns have more than " +
          Whole(kMwemCellsMax),
      HowManyFit(CellsMost(attributes), few) + "; --method mixture takes them all");
}

}  // namespace tacit::release
