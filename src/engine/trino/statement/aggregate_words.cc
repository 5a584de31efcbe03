#include "engine/trino/statement/aggregate_words.h"

#include "engine/statement/printer.h"

namespace tacit::engine::trino {

std::string TrinoAggregateWords::Real(const std::string& digits) const {
  return "DOUBLE '" + digits + "'";
}

std::string TrinoAggregateWords::Truncated(const std::string& real) const {
  return "truncate(" + real + ")";
}

std::string TrinoAggregateWords::Wide(const std::string& number) const {
  return "CAST(" + number + " AS decimal(38,0))";
}

std::string TrinoAggregateWords::WideNumber(const Integer& number) const {
  return Wide("DECIMAL '" + number.get_str() + "'");
}

// A decimal's quotient is rounded; what is left over is taken away before.
std::string TrinoAggregateWords::Divided(const std::string& number, const std::string& by) const {
  const std::string divisor = Wide("DECIMAL '" + by + "'");
  return "CAST(((" + number + ") - (" + number + ") % " + divisor + ") / " + divisor +
         " AS bigint)";
}

// Why 2^50 rows: a quadrillion is beyond any table, and leaves room for the grids that are used.
bool TrinoAggregateWords::HasRoomFor(const Integer& summand) const {
  Integer most = 1;
  for (int i = 0; i < 38; ++i) most *= 10;
  return summand * (Integer(1) << 50) < most;
}

std::string TrinoAggregateWords::Sum(const std::string& summand) const {
  return "sum(" + Wide(summand) + ")";
}

std::string TrinoAggregateWords::Joined(const std::vector<std::string>& counts) const {
  return "array_join(ARRAY[" + statement::ListOf(counts, ", ") + "], ',')";
}

std::string TrinoAggregateWords::FullCells(const std::string& cell, const std::string& tail) const {
  return "coalesce(array_join(transform(array_sort(map_entries(histogram(" + cell + ")" + tail +
         ")), one -> CAST(one[1] AS varchar) || ',' || CAST(one[2] AS varchar)), ','), '')";
}

}  // namespace tacit::engine::trino
