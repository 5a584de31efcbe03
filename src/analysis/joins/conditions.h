#pragma once

#include <string>
#include <vector>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

// The conditions of a join, whatever it joins protected rows with.
namespace tacit::analysis {

// A join as the query wrote it. What it refers to lives as long as the query is analysed.
struct WrittenJoin {
  const sql::Join& join;
  const std::vector<Expression>& where;  // conjuncts of the enclosing query's condition
  const Environment& environment;
  sql::Position position;

  bool IsInner() const {
    return join.kind == sql::JoinKind::kInner || join.kind == sql::JoinKind::kCross;
  }
};

// A condition over protected rows: it may use hidden columns where it equates units, and nowhere
// else.
Result<Expression> ResolveCondition(Known& known, const Expression& conjunct,
                                    const ProtectedRows& input, const Environment& environment);

struct JoinConditions {
  std::vector<Expression> on;  // conjuncts of ON and USING
  // The same, and for an inner join those of WHERE: an equality there is as good.
  std::vector<Expression> holding;
};

// Both sides' columns, in the order of SELECT *, become those of `combined`; the conditions are
// resolved over them. The right side's copy of a USING column is marked as merged.
Result<JoinConditions> ConditionsOf(Known& known, const WrittenJoin& written,
                                    const ProtectedRows& left, const ProtectedRows& right,
                                    ProtectedRows& combined);

// The conjuncts of WHERE as far as they can be resolved over these columns: a later join may bring
// what the others name.
std::vector<Expression> ResolvedWhere(Known& known, const WrittenJoin& written,
                                      const ProtectedRows& combined);

// A conjunct as it is; but where it equates a date or a time of the scan `alias`, moved by days or
// hours, with one of the other side, with that moved back instead: p - c = x is p = x + c.
Expression WithBareColumn(const Known& known, const Expression& conjunct, const std::string& alias);

// The column of the scan `alias` that a conjunct equates with something of the other side, compared
// exactly; or nothing.
const sql::ColumnReference* EquatedColumn(const Known& known, const Expression& conjunct,
                                          const std::string& alias);

}  // namespace tacit::analysis
