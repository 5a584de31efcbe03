#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/expressions/check_use.h"
#include "analysis/expressions/infer.h"
#include "analysis/query/environment.h"

namespace tacit::analysis {

// References to the released table until its name is known. No query can write this name: it has a
// zero byte.
inline const std::string kReleasedMarker{"\0released", 9};

// One grouped query over protected rows while it becomes a block: its keys, its measures, and for
// every aggregate the released column that stands for it.
struct GroupedQuery {
  Known& known;
  const ProtectedRows& input;
  const Environment& environment;
  Block block;
  // What a key looks like once the smaller keys in it are replaced, and the column it becomes.
  std::vector<std::pair<Expression, Expression>> key_patterns = {};
  // Keys with a query inside, as they are written: what is written again is the key. By the number
  // of the key until all are known, then by pattern and column as above.
  std::vector<std::pair<Expression, size_t>> written_keys = {};
  std::vector<std::pair<Expression, Expression>> written_patterns = {};
  std::vector<std::pair<sql::AggregateCall, size_t>> known_calls = {};
  // GROUPING SETS: which of the block's keys each level groups by, and the keys as written.
  // Empty: one level of all.
  std::vector<std::vector<size_t>> levels = {};
  std::vector<Expression> level_keys = {};
  // Queries over other releases that stand for an aggregate, as the columns q1, q2, ... until the
  // rest is rewritten: blocks/keys/listed_values.h.
  std::vector<Expression> value_counts = {};
};

GroupedQuery Group(Known& known, const ProtectedRows& input, const Environment& environment);

// The expression with the column in place of each part that is a pattern's.
Expression WithPatterns(const Expression& expression,
                        const std::vector<std::pair<Expression, Expression>>& patterns);

// ---- what the rules of aggregates ask for

// The argument of an aggregate, and the condition of its FILTER, over the scans.
Result<Expression> ArgumentOf(GroupedQuery& grouped, const Expression& written,
                              Use use = Use::kArgument);
Result<Expression> FilterOf(GroupedQuery& grouped, const sql::AggregateCall& call);

// Where an argument lies in the rows that WHERE and FILTER leave.
Result<Inferred> InferArgument(const GroupedQuery& grouped, const Expression& argument,
                               const Expression& filter);

// The column that an argument is, bare; nothing for anything else.
const RowColumn* BareColumnOf(const GroupedQuery& grouped, const Expression& argument);

// The index of a measure in the block: of an equal one that is there already, or added.
size_t AddMeasure(GroupedQuery& grouped, ExactMeasure measure);
std::optional<size_t> FindMeasure(const GroupedQuery& grouped, const ExactMeasure& measure);

}  // namespace tacit::analysis
