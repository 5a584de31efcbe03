#pragma once

#include <string>
#include <vector>

#include "base/result.h"
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

// kInvalidArgument with the first error of the report and how many others there are.
Result<Done> FirstErrorOf(const CheckReport& report);

// For whatever would charge, prepare or serve: the errors that Check finds in the database. The
// first charge freezes units for good, so it is not made under a
// policy that is known to be wrong. It reads rows; where this very policy was found in order for
// this very file before, it does not read them again.
Result<Done> RefuseErrors(const policy::Policy& policy);

// "tacit.yaml:12:7: warning: ..." with the remedy on the next line, and a last line that counts.
std::string ToText(const CheckReport& report);
std::string ToJson(const CheckReport& report);

}  // namespace tacit::owner
