#pragma once

#include <string>

#include "sql/tree.h"

namespace tacit::sql {

// PostgreSQL text that says what the tree says and parses back into an equal one: for EXPLAIN, for
// people, and for comparing queries.
std::string PrintCanonical(const Expression& expression);
std::string PrintCanonical(const Query& query);

// One tree for queries that ask the same by their form: conjuncts and disjuncts sorted, repeated
// ones dropped, > and >= turned round, IN lists sorted, double negation removed. Equal results
// imply equal meaning; the reverse is not promised.
Expression Normalize(const Expression& expression);
Query Normalize(const Query& query);

// The text whose hash identifies a question.
std::string FingerprintText(const Query& query);

}  // namespace tacit::sql
