#include <algorithm>
#include <array>

#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"
#include "analysis/expressions/columns.h"
#include "analysis/rules.h"
#include "sql/print/canonical/canonical.h"
#include "sql/walk.h"

// covar_pop, covar_samp, corr, regr_*: moments of the rows in which both columns are known, each
// paid once however many of these aggregates need it. See pairs.md.
namespace tacit::analysis {
namespace {

// Which moments a statistic is made of, beside the number of rows.
struct Recipe {
  const char* name;
  PairStatistic statistic;
  bool sum_x, sum_y, squares_x, squares_y, products;
};
constexpr std::array<Recipe, 12> kRecipes = {{
    {"covar_pop", PairStatistic::kCovariancePopulation, true, true, false, false, true},
    {"covar_samp", PairStatistic::kCovarianceSample, true, true, false, false, true},
    {"corr", PairStatistic::kCorrelation, true, true, true, true, true},
    {"regr_slope", PairStatistic::kSlope, true, true, true, false, true},
    {"regr_intercept", PairStatistic::kIntercept, true, true, true, false, true},
    {"regr_r2", PairStatistic::kR2, true, true, true, true, true},
    {"regr_count", PairStatistic::kCount, false, false, false, false, false},
    {"regr_avgx", PairStatistic::kAverageX, true, false, false, false, false},
    {"regr_avgy", PairStatistic::kAverageY, false, true, false, false, false},
    {"regr_sxx", PairStatistic::kSumXX, true, false, true, false, false},
    {"regr_sxy", PairStatistic::kSumXY, true, true, false, false, true},
    {"regr_syy", PairStatistic::kSumYY, false, true, false, true, false},
}};

Result<ExactMeasure> FactorOf(GroupedQuery& grouped, const sql::AggregateCall& call, size_t i,
                              sql::Position position) {
  sql::AggregateCall one = call;
  one.arguments = {call.arguments[i]};
  TACIT_TRY(ExactMeasure sum, SummandOf(grouped, one, position, {&call, i}));
  TACIT_CHECK(CoarsenForSquares(sum.grid));
  Centre(sum);
  return sum;
}

// Rows in which both are known. The order of the two does not matter, and so corr(x, y) and
// corr(y, x) are made of the same moments.
Expression BothKnown(const GroupedQuery& grouped, const Expression& x, const Expression& y,
                     const Expression& filter) {
  std::vector<Expression> conjuncts = sql::SplitConjuncts(filter);
  const bool swapped = sql::PrintCanonical(y) < sql::PrintCanonical(x);
  for (const Expression& each : {swapped ? y : x, swapped ? x : y}) {
    const bool known = !grouped.block.rows.public_preserved && IsNeverNull(grouped.known, each);
    if (!known) conjuncts.push_back(MakeExpression(sql::IsNull{each, true}));
  }
  return sql::JoinConjuncts(std::move(conjuncts));
}

// proof: analysis/aggregates/moments/pairs.md#claim
ExactMeasure ProductOf(const ExactMeasure& a, const ExactMeasure& b) {
  const bool swapped = sql::PrintCanonical(b.argument) < sql::PrintCanonical(a.argument);
  ExactMeasure product = swapped ? b : a;
  const ExactMeasure& factor = swapped ? a : b;
  product.kind = MeasureKind::kSumOfProducts;
  product.factor = factor.argument;
  product.factor_type = factor.type;
  product.factor_grid = factor.grid;
  product.factor_centre = factor.centre;
  return product;
}

}  // namespace

// proof: analysis/aggregates/moments/pairs.md#claim
Result<ReleasedColumn> ReleasePair(GroupedQuery& grouped, const sql::AggregateCall& call,
                                   sql::Position position) {
  if (call.star || call.arguments.size() != 2) {
    return Refuse(rules::kWrongType, position, call.name + " takes two arguments",
                  call.name + "(y, x)");
  }
  const Recipe& recipe = *std::find_if(kRecipes.begin(), kRecipes.end(),
                                       [&](const Recipe& r) { return call.name == r.name; });
  TACIT_TRY(ExactMeasure y, FactorOf(grouped, call, 0, position));
  TACIT_TRY(ExactMeasure x, FactorOf(grouped, call, 1, position));
  const Expression filter = BothKnown(grouped, x.argument, y.argument, x.filter);
  x.filter = filter;
  y.filter = filter;
  const auto squares = [&](ExactMeasure sum) {
    sum.kind = MeasureKind::kSumOfSquares;
    return AddMeasure(grouped, std::move(sum));
  };
  PairColumn pair{.statistic = recipe.statistic,
                  .count = 0,
                  .sum_x = {},
                  .sum_y = {},
                  .squares_x = {},
                  .squares_y = {},
                  .products = {}};
  ExactMeasure count;
  count.kind = MeasureKind::kRows;
  count.filter = filter;
  pair.count = AddMeasure(grouped, std::move(count));
  if (recipe.sum_x) pair.sum_x = AddMeasure(grouped, x);
  if (recipe.sum_y) pair.sum_y = AddMeasure(grouped, y);
  if (recipe.squares_x) pair.squares_x = squares(x);
  if (recipe.squares_y) pair.squares_y = squares(y);
  if (recipe.products) pair.products = AddMeasure(grouped, ProductOf(x, y));
  ReleasedColumn column;
  const bool counts = recipe.statistic == PairStatistic::kCount;
  column.type = sql::Type{
      .kind = counts ? sql::TypeKind::kBigint : sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  column.value = pair;
  return column;
}

}  // namespace tacit::analysis
