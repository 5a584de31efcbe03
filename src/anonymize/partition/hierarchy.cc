#include "anonymize/partition/hierarchy.h"

#include <algorithm>

#include "anonymize/table/read_csv.h"

namespace tacit::anonymize {
namespace {

// Builds the tree depth first from paths that are sorted root first, so that every node's leaves
// are neighbours.
class Builder {
 public:
  Builder(const std::vector<std::vector<std::string>>& paths, Hierarchy& tree)
      : paths_(paths), tree_(tree) {}

  // The node at `depth` of the paths [begin, end), which agree up to there.
  uint32_t Build(size_t begin, size_t end, size_t depth) {
    const auto id = static_cast<uint32_t>(tree_.nodes.size());
    tree_.nodes.push_back({.label = depth == 0 ? "*" : paths_[begin][depth - 1],
                           .first = static_cast<uint32_t>(begin),
                           .end = static_cast<uint32_t>(end),
                           .children = {}});
    if (end - begin == 1) {  // a chain of groups with one value is that value
      tree_.nodes[id].label = paths_[begin].back();
      return id;
    }
    std::vector<uint32_t> children;
    for (size_t from = begin; from < end;) {
      size_t to = from + 1;
      while (to < end && paths_[to][depth] == paths_[from][depth]) ++to;
      if (to - from == end - begin) return Rename(id, begin, end, depth);
      children.push_back(Build(from, to, depth + 1));
      from = to;
    }
    tree_.nodes[id].children = std::move(children);
    return id;
  }

 private:
  // All paths go through one group: the group is the node.
  uint32_t Rename(uint32_t id, size_t begin, size_t end, size_t depth) {
    tree_.nodes.resize(id);
    return Build(begin, end, depth + 1);
  }

  const std::vector<std::vector<std::string>>& paths_;
  Hierarchy& tree_;
};

// Groups of one name at one level must lie below the same group, else a cell would not say which.
Result<Done> CheckGroups(const std::vector<std::vector<std::string>>& paths,
                         const std::string& name) {
  for (size_t depth = 1; depth < paths[0].size(); ++depth) {
    std::map<std::string, std::string> parent;
    for (const std::vector<std::string>& path : paths) {
      const auto [found, fresh] = parent.emplace(path[depth], path[depth - 1]);
      if (!fresh && found->second != path[depth - 1]) {
        return InvalidArgument(name + ": \"" + path[depth] + "\" lies below \"" + found->second +
                               "\" on one line and below \"" + path[depth - 1] + "\" on another");
      }
    }
  }
  return Done{};
}

}  // namespace

uint32_t Hierarchy::LowestOver(uint32_t first, uint32_t last) const {
  uint32_t id = 0;
  while (true) {
    const auto below = std::find_if(
        nodes[id].children.begin(), nodes[id].children.end(),
        [&](uint32_t child) { return nodes[child].first <= first && last < nodes[child].end; });
    if (below == nodes[id].children.end()) return id;
    id = *below;
  }
}

Result<Hierarchy> ParseHierarchy(std::string_view text, const std::string& name) {
  TACIT_TRY(const Table table, ParseCsv(text, name, {.delimiter = 0, .headings = false}));
  // Why 64: the tree is built by recursion, and nobody coarsens in more steps.
  constexpr size_t kLevelsMax = 64;
  if (table.columns.size() > kLevelsMax) {
    return InvalidArgument(name + ":1: a hierarchy has at most 64 levels");
  }
  std::vector<std::vector<std::string>> paths;
  Hierarchy tree;
  for (uint32_t row = 0; row < table.rows; ++row) {
    std::vector<std::string> path;
    for (size_t i = table.columns.size(); i-- > 0;) path.push_back(table.columns[i].Cell(row));
    if (!tree.leaf_of.emplace(path.back(), 0).second) {
      return InvalidArgument(table.Place(row) + ": the value \"" + path.back() + "\" comes twice");
    }
    paths.push_back(std::move(path));
  }
  TACIT_CHECK(CheckGroups(paths, name));
  std::stable_sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.end() - 1, b.begin(), b.end() - 1);
  });
  for (uint32_t leaf = 0; leaf < paths.size(); ++leaf) {
    tree.leaves.push_back(paths[leaf].back());
    tree.leaf_of[paths[leaf].back()] = leaf;
  }
  Builder(paths, tree).Build(0, paths.size(), 0);
  return tree;
}

Result<Hierarchy> ReadHierarchy(const std::string& path) {
  TACIT_TRY(const std::string text, ReadWholeFile(path));
  return ParseHierarchy(text, path);
}

}  // namespace tacit::anonymize
