#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "sql/tree.h"

namespace tacit::gateway {

// Texts with parameters that were parsed before: a prepared statement is planned anew for each list
// of values, but read once. Each analyst's are apart, so that nobody learns from the time what
// others ask. From any thread.
class ParsedTexts {
 public:
  // Null when it is not here.
  std::shared_ptr<const sql::Statement> Find(const std::string& analyst, const std::string& text);
  void Keep(const std::string& analyst, const std::string& text,
            std::shared_ptr<const sql::Statement> statement);

 private:
  using Own = std::unordered_map<std::string, std::shared_ptr<const sql::Statement>>;
  std::mutex mutex_;
  std::map<std::string, Own> of_;  // by analyst
};

}  // namespace tacit::gateway
