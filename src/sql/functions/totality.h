#pragma once

#include <string_view>

namespace tacit::sql {

// Why no row can make a function raise, in words: where it has a value, what the printed text does
// to stay there, and what the other rows get. There is no function without one: it has no default,
// and an empty word does not compile. docs/total_functions.md is made of them.
struct Totality {
  std::string_view domain;
  std::string_view guard;
  std::string_view rest;

  consteval Totality(std::string_view domain_words, std::string_view guard_words,
                     std::string_view rest_words)
      : domain(domain_words), guard(guard_words), rest(rest_words) {
    if (domain.empty() || guard.empty() || rest.empty()) throw "a totality says all three";
  }
};

// One row of the page for what is no Function: casts, CASE, aggregates inside a person.
struct TotalForm {
  std::string_view form;
  Totality totality;
};

inline constexpr Totality kTotalEverywhere{"every value", "none needed", "-"};

}  // namespace tacit::sql
