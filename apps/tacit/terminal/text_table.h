#pragma once

#include <string>
#include <vector>

namespace tacit::app {

// Rows of text for a terminal or as CSV. Control bytes are shown as '?', so that no name in a
// record can move the cursor of whoever reads it.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string Text() const;
  std::string Csv() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tacit::app
