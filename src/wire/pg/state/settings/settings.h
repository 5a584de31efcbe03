#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/compile.h"
#include "wire/pg/types/text/encoding.h"
#include "wire/pg/types/text/text_style.h"

namespace tacit::wire::pg {

// SET, SHOW and RESET of one session. What is set in a transaction goes back with it, as in
// PostgreSQL. Errors carry PostgreSQL's condition in `rule`.
class Settings {
 public:
  explicit Settings(std::string analyst);

  // Nothing: back to the value of the session's start.
  Result<Done> Set(const std::string& name, const std::optional<std::string>& value, bool local);
  void ResetAll();

  // As at start-up: the value becomes the one that RESET goes back to. An unknown client_encoding
  // stays UTF8: whoever comes with one shall get in, and be told so.
  Result<Done> SetAtStart(const std::string& name, const std::string& value);

  Result<std::string> Show(const std::string& name) const;
  // Name, value and description of every setting, for SHOW ALL.
  std::vector<std::vector<std::string>> ShowAll() const;

  void Begin();
  void Commit();
  void Rollback();

  // As a savepoint keeps them. Equal ones are one, so that savepoints alone take no memory.
  struct Kept {
    std::map<std::string, std::string> session;
    std::map<std::string, std::string> local;
    size_t bytes = 0;
  };
  using Snapshot = std::shared_ptr<const Kept>;
  Snapshot Keep();
  void GoBackTo(const Snapshot& snapshot);

  plan::Wish wish() const;
  bool Previews() const;
  TextStyle Style() const;
  const Encoding* ClientEncoding() const;              // null: UTF8
  bool SendsNotices() const;                           // by client_min_messages
  bool SendsWarnings() const;                          // likewise
  std::chrono::milliseconds StatementTimeout() const;  // 0: none

  // Those that clients are told of, as they stand; TakeChanged gives what changed since it was last
  // asked.
  std::vector<std::pair<std::string, std::string>> Reported() const;
  std::vector<std::pair<std::string, std::string>> TakeChanged();

  // The session's own values by lower-case name.
  std::map<std::string, std::string> Values() const;

 private:
  std::string ValueOf(const std::string& name) const;

  std::string analyst_;
  std::map<std::string, std::string> at_start_;
  std::map<std::string, std::string> session_;
  std::map<std::string, std::string> local_;
  std::optional<std::map<std::string, std::string>> before_transaction_;
  Snapshot last_kept_;
  std::map<std::string, std::string> told_;
  bool may_differ_ = true;  // something was set since the client was told
};

}  // namespace tacit::wire::pg
