#pragma once

#include <string_view>

// Functions that rewritings use and no query can name: the parser refuses every name that begins
// with tacit_.
namespace tacit::sql {

// Whether a text is one of those that another text lists between '|'.
inline constexpr std::string_view kInSetFunction = "tacit_in_set";

// Its arguments as PostgreSQL writes an array: {0.25,3,NULL}.
inline constexpr std::string_view kArrayFunction = "tacit_array";

// The elements of an array that is given as text or as a parameter, in x = ANY ($1); no function of
// a row: by the time that a query is analysed, they stand written out.
inline constexpr std::string_view kElementsFunction = "tacit_elements";

// The rows of generate_series(first, last, step) in FROM, in VALUES of one row; no function of a
// row either: it is written out as rows (constants/series.h).
inline constexpr std::string_view kSeriesFunction = "tacit_series";

}  // namespace tacit::sql
