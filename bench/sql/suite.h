#pragma once

#include <string>
#include <vector>

namespace tacit::bench {

// One question, asked in several ways.
struct Case {
  std::string name;
  double goal = 0;        // Tacit's time at most this many times the plain one; 0: none is set
  std::string tacit;      // as an analyst asks
  std::string plain;      // the same over the tables as imported
  std::string rewriting;  // with its caps by ROW_NUMBER, as other systems do; empty: nothing to cap
};

// A folder with policy.yaml, rows.sql (statements that make the tables) and cases.sql:
//
//   -- case: NAME
//   -- goal: NUMBER
//   SELECT ...
//   -- plain          where it differs
//   SELECT ...
//   -- rewriting
//   SELECT ...
//
// Other lines that begin with -- are remarks. {rows}, {units} (a tenth of them) and {source} are
// put in. Without a source made_rows.sql comes instead of rows.sql, where there is one.
struct Suite {
  std::string policy;
  std::string statements;
  std::vector<Case> cases;

  static Suite Read(const std::string& folder, long rows, const std::string& source);
};

}  // namespace tacit::bench
