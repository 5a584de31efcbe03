#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "ledger/ledger.h"

// Requests and folders that the ledger's tests share.

namespace tacit::ledger::testing {

// A new folder under the system's temporary one, removed with what is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-ledger-XXXXXX").string();
    TACIT_ASSERT(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string ledger() const { return path_ + "/ledger.sqlite"; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
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
