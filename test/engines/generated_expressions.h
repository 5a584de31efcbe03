#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/value.h"
#include "sql/bind/bind.h"
#include "sql/print/dialect.h"

namespace tacit::golden {

// Expressions that a seeded generator nests, over columns of every type.
class GeneratedExpressions {
 public:
  // Whether it is one that both engines have words for: then it may stand inside others.
  using Check = std::function<bool(const sql::Expression&)>;

  // A leaf of expressions; and a column that is known and no leaf.
  void AddColumn(const std::string& table, const std::string& name, const ValueType& type);
  void AddToScope(const std::string& table, const std::string& name, const ValueType& type);
  void AddEdgeLiterals();
  const sql::Scope& scope() const { return scope_; }

  void NestTwoDeep(int each, const Check& check);
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

 private:
  sql::Expression Argument();
  sql::Expression CallOf(const sql::Function& function);
  template <class Make>
  void Try(int wanted, std::vector<sql::Expression>& made, const Check& check, Make make);

  sql::Scope scope_;
  std::mt19937 random_{20261119};
  std::vector<sql::Expression> leaves_;
  std::vector<sql::Expression> made_;
};

// Doubles at the ends, in quotes.
std::vector<std::string> EndsOfDoubles();
bool KnowsAll(const sql::Bound& bound, const sql::Dialect& dialect);
// A value of either engine: -0 is 0.
std::string ComparedText(const engine::Value& value);

}  // namespace tacit::golden
