#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/types.h"

// What a translation is made of: DuckDB's SQL with PostgreSQL's types beside it.

namespace tacit::catalog {

// An expression. `sql` is complete in itself: no operator outside can take it apart.
struct Expression {
  std::string sql = {};
  Oid type = oid::kUnknown;
  int32_t modifier = -1;
  // A string without a type yet, or a NULL: it takes the type of its surroundings.
  bool untyped = false;
  Cell literal = {};  // of an untyped string
  int parameter = 0;  // of $n, by itself
};

inline Expression Bool(std::string sql) { return {.sql = std::move(sql), .type = oid::kBool}; }

struct Target {
  Expression expression;
  std::string name = {};
};

// A column of something in FROM.
struct RangeColumn {
  std::string name;
  Oid type = oid::kText;
  int32_t modifier = -1;
  bool merged = false;  // by USING: it stands for the column of the same name on the left
};

// Something in FROM: a relation, a subquery, a function.
struct Range {
  std::string alias;
  std::string schema = {};  // of a relation, for pg_catalog.pg_class.oid
  std::string relation = {};
  Oid oid = 0;  // of a relation, for tableoid
  std::vector<RangeColumn> columns = {};
};

// The names that an expression may use; a subquery also sees those of the query around it.
struct Scope {
  std::vector<Range> ranges;
  const Scope* outer = nullptr;
};

// A query whose columns' types are not settled yet: a UNION or a caller may decide that a NULL is
// an oid.
struct Plan {
  std::string with;
  // A SELECT:
  std::string distinct;
  std::vector<Target> targets;
  std::string rest;  // FROM to HAVING
  // or VALUES (targets name the columns):
  std::vector<std::vector<Expression>> rows;
  // or a set operation (targets name the columns):
  std::string operation;
  std::unique_ptr<Plan> left;
  std::unique_ptr<Plan> right;

  std::string tail;  // ORDER BY, LIMIT
};

}  // namespace tacit::catalog
