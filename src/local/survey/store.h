#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secrets/entropy.h"
#include "local/survey/submission.h"

struct sqlite3;

namespace tacit::local {

// The reports of one survey in a SQLite file. When Submit returns kStored, all its reports are on
// stable storage; after a crash a submission is there whole or not at all. Reports are kept under
// random keys and apart from submissions and tokens, so that the file says neither who sent a
// report nor in which order they came.
class ReportStore {
 public:
  // Opens or creates the file, takes it for this process alone, and refuses one that is damaged, is
  // of another survey, or is in use.
  static Result<std::unique_ptr<ReportStore>> Open(const std::string& path, const Survey& survey);
  ~ReportStore();

  enum class Outcome { kStored, kAlreadyStored, kUnknownToken, kTokenUsed };
  Result<Outcome> Submit(const Survey& survey, const Submission& submission, Entropy& entropy);

  // Every stored report, as (question id, text).
  Result<Done> ForEach(
      const std::function<Result<Done>(std::string_view, std::string_view)>& visit) const;

  // Makes and remembers `count` tokens; only their hashes are kept.
  Result<std::vector<std::string>> MakeTokens(uint32_t count, Entropy& entropy);

 private:
  explicit ReportStore(sqlite3* database) : database_(database) {}
  Result<Done> Prepare(const std::string& path, const std::string& fingerprint);
  Result<Done> Execute(const char* sql);
  Result<Outcome> SubmitInside(const Survey& survey, const Submission& submission,
                               Entropy& entropy);
  Error Failed(const std::string& what) const;

  sqlite3* database_;
};

}  // namespace tacit::local
