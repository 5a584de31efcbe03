#include "engine/postgres/statement/aggregate_words.h"

#include "engine/statement/printer.h"

namespace tacit::engine::postgres {

std::string PostgresAggregateWords::Real(const std::string& digits) const {
  return "CAST('" + digits + "' AS double precision)";
}

std::string PostgresAggregateWords::Truncated(const std::string& real) const {
  return "trunc(" + real + ")";
}

std::string PostgresAggregateWords::Wide(const std::string& number) const {
  return "CAST(" + number + " AS numeric)";
}

std::string PostgresAggregateWords::Divided(const std::string& number,
                                            const std::string& by) const {
  return "CAST(div(" + number + ", " + by + ") AS bigint)";
}

std::string PostgresAggregateWords::Joined(const std::vector<std::string>& counts) const {
  return "array_to_string(ARRAY[" + statement::ListOf(counts, ", ") + "], ',')";
}

// The subquery is over the group's own rows, so that counts alone leave the server.
std::string PostgresAggregateWords::FullCells(const std::string& cell,
                                              const std::string& tail) const {
  return "(SELECT coalesce(string_agg(cells.cell || ',' || cells.size, ',' ORDER BY cells.cell), "
         "'') FROM (SELECT one.cell, count(*) AS size FROM unnest(array_agg(" +
         cell + ")" + tail +
         ") AS one(cell) WHERE one.cell IS NOT NULL GROUP BY one.cell) AS cells)";
}

}  // namespace tacit::engine::postgres
