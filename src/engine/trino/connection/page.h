#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tacit::engine::trino {

// A value as Trino's pages write it: decimals, times and texts as texts.
using Cell = std::variant<std::monostate, bool, int64_t, double, std::string>;

struct PageColumn {
  std::string name;
  std::string type;  // "decimal(38,0)"
  bool operator==(const PageColumn&) const = default;
};

// What became of a statement that failed. Trino's messages quote values; its names of errors are a
// fixed list.
struct QueryError {
  std::string name;  // "DIVISION_BY_ZERO"
  std::string type;  // "USER_ERROR"
};

struct Page {
  std::string next;  // where the next one is; empty: this was the last
  std::vector<PageColumn> columns;
  std::vector<std::vector<Cell>> rows;
  std::optional<QueryError> error;
};

// Nothing for what is no page: a server that answers so is not believed.
std::optional<Page> ReadPage(std::string_view body);

}  // namespace tacit::engine::trino
