#include "plan/above/finish.h"

#include "analysis/tables_above.h"
#include "noise/cube/cube_error_estimate.h"
#include "plan/above/average_margin.h"
#include "plan/above/finish_pairs.h"
#include "plan/above/post_text.h"
#include "sql/functions/function.h"

namespace tacit::plan {
namespace {

using analysis::AverageColumn;

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

std::string PrintSum(const analysis::ReleasedColumn& column, const analysis::ExactMeasure& measure,
                     const std::string& name) {
  const Rational& step = measure.grid.step;
  const std::string type = TypeText(column.type);
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
std::string PrintAverage(const AverageColumn& average, const analysis::ExactMeasure& sum) {
  const Rational low = Rational(MakeRational(sum.grid.low_steps) * sum.grid.step);
  const Rational high = Rational(MakeRational(sum.grid.high_steps) * sum.grid.step);
  const Rational centre = Rational(MakeRational(sum.centre) * sum.grid.step);
  return "least(greatest(" + Scaled(Name(average.sum), sum.grid.step) + " / CAST(greatest(" +
         Name(average.count) + ", 1) AS DOUBLE) + " + DoubleText(centre) + ", " + DoubleText(low) +
         "), " + DoubleText(high) + ")";
}

Rational LargestCentred(const analysis::ExactMeasure& sum) {
  const Integer low = abs(ToInteger(sum.grid.low_steps) - ToInteger(sum.centre));
  const Integer high = abs(ToInteger(sum.grid.high_steps) - ToInteger(sum.centre));
  return Rational(low < high ? high : low);
}

// The error of a quotient s / n around the centre, for n = 1: both noises at their 95 % together,
// as independent ones add up.
Rational AverageErrorForOne(const AverageColumn& average, const analysis::Block& block,
                            const std::vector<Measure>& measures) {
  const analysis::ExactMeasure& sum = block.measures[average.sum];
  const Rational largest = Rational(LargestCentred(sum) * sum.grid.step);
  const Rational by_count = Rational(largest * measures[average.count].moe95);
  const Rational& by_sum = measures[average.sum].moe95;
  return SquareRootUp(Rational(by_sum * by_sum + by_count * by_count));
}

// What both noises leave of this average, of the numbers that were released.
std::string PrintAverageMargin(const AverageColumn& average, const analysis::Block& block,
                               const std::vector<Measure>& measures) {
  const analysis::ExactMeasure& sum = block.measures[average.sum];
  const auto of_steps = [&](Int128 steps) {
    return Rational(MakeRational(steps) * sum.grid.step).get_d();
  };
  const auto errors_of = [&](size_t measure) {
    std::vector<double> errors;
    for (const Integer& error : measures[measure].mechanism->ErrorsOf(kDraws)) {
      errors.push_back(error.get_d());
    }
    return errors;
  };
  // Drawn together, both have the same radius, and what is theirs within it.
  const noise::CubeNoise* cube = measures[average.sum].mechanism->cube();
  const bool together = cube != nullptr && measures[average.count].mechanism->cube() == cube;
  const auto within = [&](size_t measure) {
    const double width = cube->width(measures[measure].mechanism->coordinate()).get_d();
    std::vector<double> places;
    for (int i = 0; i < kDraws; ++i) places.push_back(width * (2 * i + 1 - kDraws) / kDraws);
    return places;
  };
  const AverageMargin margin(
      {.step = sum.grid.step.get_d(),
       .centre = of_steps(sum.centre),
       .low = of_steps(sum.grid.low_steps),
       .high = of_steps(sum.grid.high_steps),
       .count_errors = together ? within(average.count) : errors_of(average.count),
       .sum_errors = together ? within(average.sum) : errors_of(average.sum),
       .radii = together ? noise::CubeEstimate(*cube).Radii(kDraws) : std::vector<double>()});
  return std::string(kAverageMarginFunction) + "(CAST(" + Name(average.count) +
         " AS DOUBLE), CAST(" + Name(average.sum) + " AS DOUBLE), '" + margin.ToText() + "')";
}

// q / n - (s / n)^2 in grid steps, within what summands allow.
std::string PrintVariance(const analysis::VarianceColumn& variance,
                          const analysis::ExactMeasure& sum) {
  const std::string count = "CAST(greatest(" + Name(variance.count) + ", 1) AS DOUBLE)";
  const std::string mean = "(CAST(" + Name(variance.sum) + " AS DOUBLE) / " + count + ")";
  const Rational largest = LargestCentred(sum);
  std::string text = "least(greatest(CAST(" + Name(variance.squares) + " AS DOUBLE) / " + count +
                     " - " + mean + " * " + mean + ", 0), " +
                     DoubleText(Rational(largest * largest)) + ")";
  if (variance.of_sample) {
    const std::string people = "CAST(greatest(" + Name(variance.count) + ", 2) AS DOUBLE)";
    text += " * " + people + " / (" + people + " - 1)";
  }
  text += " * " + DoubleText(Rational(sum.grid.step * sum.grid.step));
  return variance.root ? "sqrt(" + text + ")" : text;
}

// What kPeopleForMeans people leave of the noises of three moments; of a deviation, around m.
Rational VarianceError(const analysis::VarianceColumn& variance, const analysis::Block& block,
                       const std::vector<Measure>& measures) {
  const analysis::ExactMeasure& sum = block.measures[variance.sum];
  const Rational m = Rational(LargestCentred(sum) * sum.grid.step);
  const Rational q = measures[variance.squares].moe95;
  const Rational s = Rational(2 * m * measures[variance.sum].moe95);
  const Rational n = Rational(m * m * measures[variance.count].moe95);
  const Rational error = Rational(SquareRootUp(Rational(q * q + s * s + n * n)) / kPeopleForMeans);
  return variance.root ? SquareRootUp(error) : error;
}

bool SameCells(const analysis::ExactMeasure& a, const analysis::ExactMeasure& b) {
  analysis::ExactMeasure other = b;
  other.quantile = a.quantile;
  return analysis::SameMeasure(a, other);
}

// Several quantiles of one column are put in order: the upper quartile is never below the median.
std::string PrintCell(size_t index, const analysis::Block& block) {
  const analysis::ExactMeasure& measure = block.measures[index];
  std::string all;
  size_t others = 0;
  size_t smaller = 0;
  for (size_t i = 0; i < block.measures.size(); ++i) {
    if (!SameCells(measure, block.measures[i]) || measure.extreme) continue;
    all += (all.empty() ? "" : ", ") + Name(i);
    others += i == index ? 0 : 1;
    smaller += block.measures[i].quantile < measure.quantile ? 1 : 0;
  }
  if (others == 0) return Name(index);
  return "list_sort([" + all + "])[" + std::to_string(smaller + 1) + "]";
}

// The middle of the chosen cell; of a last cell that is cut short, within the range. Elsewhere
// nothing is cut off: margins are measured with values around the chosen one.
std::string PrintQuantile(const analysis::ReleasedColumn& column,
                          const analysis::ExactMeasure& measure, const std::string& name) {
  const Rational middle = Rational(MakeRational(measure.cell_steps - 1) / 2);
  const Rational first = Rational(MakeRational(measure.grid.low_steps) + middle);
  const Rational high = Rational(MakeRational(measure.grid.high_steps) * measure.grid.step);
  std::string value = "(CAST(" + name + " AS DOUBLE) * " +
                      DoubleText(MakeRational(measure.cell_steps)) + " + " + DoubleText(first) +
                      ") * " + DoubleText(measure.grid.step);
  const Int128 points = analysis::PointsOf(measure);
  if (points % measure.cell_steps != 0) {
    value = "CASE WHEN " + name + " = " + ToString(points / measure.cell_steps) + " THEN least(" +
            value + ", " + DoubleText(high) + ") ELSE " + value + " END";
  }
  if (column.type.IsInteger()) {
    return "TRY_CAST(round(" + value + ") AS " + TypeText(column.type) + ")";
  }
  const std::string whole = "CAST(round(" + value + ") AS BIGINT)";
  if (column.type.kind == sql::TypeKind::kDate) {
    return "(DATE '1970-01-01' + CAST(" + whole + " AS INTEGER))";
  }
  if (column.type.kind == sql::TypeKind::kTimestamp)
    return "make_timestamp(" + whole + " * 1000000)";
  if (column.type.kind == sql::TypeKind::kTimestampTz) return "to_timestamp(" + whole + ")";
  return "TRY_CAST(" + value + " AS " + TypeText(column.type) + ")";
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
  if (const auto* variance = std::get_if<analysis::VarianceColumn>(&column.value)) {
    return {.measure = &measures[variance->squares],
            .moe95 = VarianceError(*variance, block, measures),
            .condition = "if 1,000 people match"};
  }
  if (const auto* quantile = std::get_if<analysis::QuantileColumn>(&column.value)) {
    const Measure& measure = measures[quantile->measure];
    // A rank is one of a cell: which of its values is shown is not known any better.
    std::string condition = "in rank, not in value";
    if (block.measures[quantile->measure].cell_steps > 1) {
      condition += ", of values in cells of " + ToString(measure.step);
      if (sql::IsInstant(column.type)) condition += " seconds";
    }
    return {.measure = &measure, .moe95 = measure.moe95, .condition = std::move(condition)};
  }
  if (const auto* mode = std::get_if<analysis::ModeColumn>(&column.value)) {
    const Measure& measure = measures[mode->measure];
    return {.measure = &measure,
            .moe95 = measure.moe95,
            .condition = "in rows: how much rarer than the most frequent value"};
  }
  if (const auto* pair = std::get_if<analysis::PairColumn>(&column.value)) {
    return PairError(*pair, block, measures);
  }
  const auto* count = std::get_if<analysis::CountColumn>(&column.value);
  const Measure& measure =
      measures[count != nullptr ? count->measure
                                : std::get<analysis::SumColumn>(column.value).measure];
  return {.measure = &measure, .moe95 = measure.moe95, .condition = ""};
}

std::string FinishSql(const analysis::Block& block, const std::vector<Measure>& measures,
                      const std::string& from, const std::vector<std::string>& others,
                      WithAverageMargins with_margins) {
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
      if (with_margins == WithAverageMargins::kYes) {
        add(PrintAverageMargin(*average, block, measures), analysis::MarginColumnName(column.name));
      }
      continue;
    }
    if (const auto* variance = std::get_if<analysis::VarianceColumn>(&column.value)) {
      add(PrintVariance(*variance, block.measures[variance->sum]), column.name);
    } else if (const auto* quantile = std::get_if<analysis::QuantileColumn>(&column.value)) {
      const size_t index = quantile->measure;
      add(PrintQuantile(column, block.measures[index], PrintCell(index, block)), column.name);
    } else if (const auto* mode = std::get_if<analysis::ModeColumn>(&column.value)) {
      const std::string values = ModeValuesText(block.measures[mode->measure]);
      add(values + "[CAST(" + Name(mode->measure) + " AS BIGINT) + 1]", column.name);
    } else if (const auto* pair = std::get_if<analysis::PairColumn>(&column.value)) {
      add(PrintPair(*pair, block), column.name);
    } else if (const auto* count = std::get_if<analysis::CountColumn>(&column.value)) {
      add(AsBigint(Name(count->measure)), column.name);
    } else {
      const size_t index = std::get<analysis::SumColumn>(column.value).measure;
      add(PrintSum(column, block.measures[index], Name(index)), column.name);
    }
    add(DoubleText(ErrorOf(column, block, measures).moe95), error_name);
  }
  for (const std::string& other : others) add(other, other);
  if (items.empty()) items = "*";
  return "SELECT " + items + " FROM " + from;
}

}  // namespace tacit::plan
