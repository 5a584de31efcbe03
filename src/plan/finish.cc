#include "plan/finish.h"

#include "analysis/catalog.h"
#include "plan/duckdb/exact_sql.h"
#include "plan/mechanism.h"

namespace tacit::plan {
namespace {

using analysis::AverageColumn;
using duckdb::DoubleText;

std::string Name(size_t measure) { return "m" + std::to_string(measure + 1); }

// Above it a bigint cannot go; noise that large is an answer too, not an error.
std::string AsBigint(const std::string& integer) {
  return "CAST(least(greatest(" + integer +
         ", -9223372036854775808), 9223372036854775807) AS BIGINT)";
}

// integer * step as a double.
std::string Scaled(const std::string& integer, const Rational& step) {
  return "CAST(" + integer + " AS DOUBLE) * " + DoubleText(step);
}

std::string PrintSum(const analysis::ReleasedColumn& column, const analysis::Measure& measure,
                     const std::string& name) {
  const Rational& step = measure.grid.step;
  const std::string type = duckdb::TypeText(column.type);
  if (column.type.kind == sql::TypeKind::kBigint) {
    if (step == 1) return AsBigint(name);
    return "TRY_CAST(round(" + Scaled(name, step) + ") AS BIGINT)";
  }
  if (column.type.kind == sql::TypeKind::kNumeric && step == 1) {
    return "TRY_CAST(" + name + " AS " + type + ")";
  }
  return "TRY_CAST(" + Scaled(name, step) + " AS " + type + ")";
}

// Within the summands' range, and over at least one: never NaN, never beyond the bounds.
std::string PrintAverage(const AverageColumn& average, const analysis::Measure& sum) {
  const Rational low = Rational(MakeRational(sum.grid.low_steps) * sum.grid.step);
  const Rational high = Rational(MakeRational(sum.grid.high_steps) * sum.grid.step);
  const Rational centre = Rational(MakeRational(sum.centre) * sum.grid.step);
  return "least(greatest(" + Scaled(Name(average.sum), sum.grid.step) + " / CAST(greatest(" +
         Name(average.count) + ", 1) AS DOUBLE) + " + DoubleText(centre) + ", " + DoubleText(low) +
         "), " + DoubleText(high) + ")";
}

// The error of a quotient s / n around the centre, for n = 1: both noises at their 95 % together,
// as independent ones add up.
Rational AverageErrorForOne(const AverageColumn& average, const analysis::Block& block,
                            const std::vector<Measure>& measures) {
  const analysis::Measure& sum = block.measures[average.sum];
  const Integer low = abs(ToInteger(sum.grid.low_steps) - ToInteger(sum.centre));
  const Integer high = abs(ToInteger(sum.grid.high_steps) - ToInteger(sum.centre));
  const Rational largest = Rational((low < high ? high : low) * sum.grid.step);
  const Rational by_count = Rational(largest * measures[average.count].moe95);
  const Rational& by_sum = measures[average.sum].moe95;
  return SquareRootUp(Rational(by_sum * by_sum + by_count * by_count));
}

}  // namespace

ErrorEstimate ErrorOf(const analysis::ReleasedColumn& column, const analysis::Block& block,
                      const std::vector<Measure>& measures) {
  if (const auto* average = std::get_if<AverageColumn>(&column.value)) {
    const Rational one = AverageErrorForOne(*average, block, measures);
    return {.measure = &measures[average->sum],
            .moe95 = Rational(one / kPeopleForMeans),
            .condition = "if 1,000 people match"};
  }
  const auto* count = std::get_if<analysis::CountColumn>(&column.value);
  const Measure& measure =
      measures[count != nullptr ? count->measure
                                : std::get<analysis::SumColumn>(column.value).measure];
  return {.measure = &measure, .moe95 = measure.moe95, .condition = ""};
}

std::string FinishSql(const analysis::Block& block, const std::vector<Measure>& measures,
                      const std::string& noisy_table) {
  std::string items;
  const auto add = [&](const std::string& text, const std::string& name) {
    items += (items.empty() ? "" : ", ") + text + " AS " + name;
  };
  for (size_t i = 0; i < block.keys.size(); ++i) {
    const std::string key = "k" + std::to_string(i + 1);
    add(key, key);
  }
  for (const analysis::ReleasedColumn& column : block.released) {
    const std::string error_name = analysis::ErrorColumnName(column.name);
    if (const auto* average = std::get_if<AverageColumn>(&column.value)) {
      add(PrintAverage(*average, block.measures[average->sum]), column.name);
      add(DoubleText(AverageErrorForOne(*average, block, measures)) + " / CAST(greatest(" +
              Name(average->count) + ", 1) AS DOUBLE)",
          error_name);
      continue;
    }
    if (const auto* count = std::get_if<analysis::CountColumn>(&column.value)) {
      add(AsBigint(Name(count->measure)), column.name);
    } else {
      const size_t index = std::get<analysis::SumColumn>(column.value).measure;
      add(PrintSum(column, block.measures[index], Name(index)), column.name);
    }
    add(DoubleText(ErrorOf(column, block, measures).moe95), error_name);
  }
  if (items.empty()) items = "*";
  return "SELECT " + items + " FROM " + duckdb::Quote(noisy_table);
}

}  // namespace tacit::plan
