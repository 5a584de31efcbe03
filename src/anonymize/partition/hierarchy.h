#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace tacit::anonymize {

// A declared coarsening of categories: a tree whose leaves are the values. Leaves are numbered so
// that every node holds a contiguous run of them.
struct Hierarchy {
  struct Node {
    std::string label;
    uint32_t first = 0, end = 0;     // its leaves, [first, end)
    std::vector<uint32_t> children;  // in the order of their leaves; none for a leaf
  };
  std::vector<Node> nodes;                  // nodes[0] is the root
  std::vector<std::string> leaves;          // by number
  std::map<std::string, uint32_t> leaf_of;  // the number of a value

  // The lowest node that holds the leaves first to last.
  uint32_t LowestOver(uint32_t first, uint32_t last) const;
};

// A file with one line a value: the value, its group, the group's group and so on to the root, as
// ARX writes them ("Bachelors;Undergraduate;Higher education;*"). There are no headings. Lines of
// different length, a value on two lines, and a group below two different groups are errors.
Result<Hierarchy> ReadHierarchy(const std::string& path);
Result<Hierarchy> ParseHierarchy(std::string_view text, const std::string& name);

}  // namespace tacit::anonymize
