#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts.h"

namespace tacit::analysis {

// How many groups the public keys of a block make, by some of them: from the lists, and from the
// filters on them as far as they can be worked out here. What cannot makes it more, never fewer.
class ListedGroups {
 public:
  explicit ListedGroups(const Block& block);

  // Nothing where a key is private, or only the database knows its list.
  std::optional<Integer> By(const std::vector<size_t>& keys) const;

 private:
  // A column that keys are made of, with what each value of its list makes of them.
  struct Column {
    KeySource source;
    std::optional<Integer> count;
    std::vector<std::map<size_t, std::string>> values;  // empty: all are told apart
  };
  void AddValues(const Block& block, Column& column) const;

  std::vector<Key> keys_;
  std::vector<Column> columns_;
};

}  // namespace tacit::analysis
