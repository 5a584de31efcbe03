#pragma once

#include <string_view>

// Functions that rewritings use and no query can name: the parser refuses every name that begins
// with tacit_.
namespace tacit::sql {

// Whether a text is one of those that another text lists between '|'.
inline constexpr std::string_view kInSetFunction = "tacit_in_set";

// Its arguments as PostgreSQL writes an array: {0.25,3,NULL}.
inline constexpr std::string_view kArrayFunction = "tacit_array";

}  // namespace tacit::sql
