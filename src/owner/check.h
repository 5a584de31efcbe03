#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"

namespace tacit::owner {

enum class Severity { kError, kWarning, kNote };

// One remark on the policy: where, what, and what to do about it.
struct Finding {
  Severity severity = Severity::kNote;
  policy::Place place;
  std::string message;
  std::string remedy;
};

struct CheckReport {
  std::string file;
  std::vector<Finding> findings;  // by place
  int CountOf(Severity severity) const;
};

// Lints a policy against its database and its files. The owner runs it, and it may read rows: what
// it says about them is for the owner only. A policy that does not load is one error of the report.
CheckReport Check(const std::string& path);

// "tacit.yaml:12:7: warning: ..." with the remedy on the next line, and a last line that counts.
std::string ToText(const CheckReport& report);
std::string ToJson(const CheckReport& report);

}  // namespace tacit::owner
