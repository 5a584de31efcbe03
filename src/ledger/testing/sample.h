#pragma once

#include <string>

#include "base/testing/folder.h"
#include "ledger/ledger.h"

// Requests and folders that the ledger's tests share.

namespace tacit::ledger::testing {

// Where one ledger is kept.
class Folder : public tacit::testing::Folder {
 public:
  std::string ledger() const { return File("ledger.sqlite"); }
};

inline Rational Number(const std::string& text) { return ParseRational(text).value(); }

// One release of the question `question` for epsilon `epsilon`, by the owner, against 3 in all.
inline ChargeRequest Sample(const std::string& question, const std::string& epsilon = "0.1") {
  ChargeRequest request;
  request.query_fingerprint = "query of " + question;
  request.policy_version = "policy 1";
  request.declarations = {.terms = "add_remove protects=1 pure", .units = {{"patients", "ssn"}}};
  request.releases.push_back({.fingerprint = question,
                              .scales = {Number("1/" + epsilon)},
                              .cost = {.epsilon = Number(epsilon),
                                       .delta = Number("0"),
                                       .rho = Number(epsilon) * Number(epsilon) / 2},
                              .made_from = {}});
  request.limits.dataset = {.epsilon = Number("3"), .delta = Number("1e-6")};
  return request;
}

inline ChargeRequest SampleBy(const std::string& analyst, const std::string& question,
                              const std::string& epsilon = "0.1") {
  ChargeRequest request = Sample(question, epsilon);
  request.analyst = analyst;
  request.limits.analyst = Budget{.epsilon = Number("1"), .delta = Number("1e-7")};
  return request;
}

inline Ledger MakeLedger(const Folder& folder, const OpenOptions& options = {}) {
  TACIT_ASSERT(Ledger::Create(folder.ledger()).ok());
  return Ledger::Open(folder.ledger(), options).value();
}

}  // namespace tacit::ledger::testing
