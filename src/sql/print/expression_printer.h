#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/bind/bind.h"
#include "sql/print/dialect.h"

// Internal to src/sql/print.
namespace tacit::sql {

class ExpressionPrinter {
 public:
  using Subquery = std::function<Result<std::string>(const Query&)>;

  ExpressionPrinter(const Dialect& dialect, Subquery subquery)
      : dialect_(dialect), subquery_(std::move(subquery)) {}

  Result<std::string> Print(const Bound& bound) const;
  Result<std::string> PrintOrder(const std::vector<BoundOrder>& items) const;

 private:
  Result<std::string> PrintKind(const Bound& bound) const;
  Result<std::string> PrintCase(const BoundCase& choice) const;
  Result<std::string> PrintAggregate(const BoundAggregate& call, const Type& type) const;
  Result<std::string> PrintWindow(const BoundWindow& window) const;
  Result<std::string> PrintQueryExpression(const BoundQuery& query) const;
  // As Print, and a column as Dialect::Read gives it.
  Result<std::string> PrintValue(const Bound& bound) const;
  Result<std::vector<std::string>> PrintAll(const std::vector<Bound>& list) const;

  const Dialect& dialect_;
  Subquery subquery_;
};

}  // namespace tacit::sql
