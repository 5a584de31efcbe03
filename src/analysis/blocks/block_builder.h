#pragma once

#include <string>
#include <vector>

#include "analysis/analyzer.h"

namespace tacit::analysis {

// Collects what one grouped query over protected rows needs: its keys, its measures, and for every
// aggregate the released column that stands for it. Aggregates' rules (aggregates/) talk to it.
class BlockBuilder {
 public:
  BlockBuilder(Analyzer& analyzer, const ProtectedRows& input, const Environment& environment)
      : analyzer_(analyzer), input_(input), environment_(environment) {
    block_.rows = input.rows;
  }

  // keys.cc. An expression without columns is no key: it is the same in every group.
  Result<Done> AddKey(const Expression& written);
  // Which filters narrow the public keys, and whether there are not too many.
  Result<Done> FinishKeys();

  // The expression as it stands over the released table: aggregates and keys replaced. What is left
  // over is refused.
  Result<Expression> OverReleased(const Expression& written);

  Block Take() && { return std::move(block_); }

  // ---- for the rules of aggregates
  Result<Expression> Argument(const Expression& written, Use use = Use::kArgument);
  Result<Expression> Filter(const sql::AggregateCall& call);
  Result<Inferred> Infer(const Expression& argument, const Expression& filter) const;
  const RowColumn* BareColumnOf(const Expression& argument) const;
  const Rows& rows() const { return block_.rows; }
  const Analyzer& analyzer() const { return analyzer_; }
  size_t AddMeasure(Measure measure);
  // The measure if it is there already.
  std::optional<size_t> FindMeasure(const Measure& measure) const;

 private:
  Result<Expression> ReleasedColumnFor(const sql::AggregateCall& call, sql::Position position);
  Result<Expression> ReplaceAggregates(const Expression& written);
  Result<Expression> ReplaceColumns(const Expression& expression);

  Analyzer& analyzer_;
  const ProtectedRows& input_;
  const Environment& environment_;
  Block block_;
  // What a key looks like once the smaller keys in it are replaced, and the column it becomes.
  std::vector<std::pair<Expression, Expression>> key_patterns_;
  std::vector<std::pair<sql::AggregateCall, size_t>> known_calls_;
};

// References to the released table until its name is known. No query can write this name: it has a
// zero byte.
inline const std::string kReleasedMarker{"\0released", 9};

// One aggregate's rule: the released column that the call becomes.
struct AggregateRule {
  const char* name;
  Result<ReleasedColumn> (*release)(BlockBuilder& builder, const sql::AggregateCall& call,
                                    sql::Position position);
  bool within_group = false;  // it takes WITHIN GROUP (ORDER BY ...)
};
const AggregateRule* FindAggregateRule(const std::string& name);
std::vector<std::string> AggregatesWithRules();

// keys.cc: the declared lists a key's values follow from; empty for a private key.
Result<std::vector<KeySource>> PublicSourcesOf(const Expression& key, const Analyzer& analyzer);
// keys.cc: the literals of a CASE that has nothing else to give, also of one inside each person's
// rows; empty for other keys.
std::vector<Expression> OutcomesOf(const Expression& key, const RowSource& source);

}  // namespace tacit::analysis
