#pragma once

#include <set>
#include <string>
#include <vector>

namespace tacit::adversary {

// Every part of the grammar that some accepted query must use, by name.
const std::vector<std::string>& AllFeatures();

// The parts that one query uses. A name that is not on the list ends the program: the table at the
// end of a run would not have a line for it.
class Features {
 public:
  void Use(const std::string& name);
  const std::set<std::string>& used() const { return used_; }

 private:
  std::set<std::string> used_;
};

}  // namespace tacit::adversary
