#pragma once

#include <iosfwd>
#include <map>

#include "trial.h"

namespace tacit::adversary {

// What a run saw, for its closing table.
class Statistics {
 public:
  void Add(const Question& question, const Outcome& outcome);

  size_t asked() const { return asked_; }
  size_t accepted() const { return accepted_; }
  void PrintLine(std::ostream& out) const;
  void Print(std::ostream& out) const;
  // Parts of the grammar that no accepted query used.
  std::vector<std::string> NotCovered() const;

 private:
  size_t asked_ = 0;
  size_t accepted_ = 0;
  size_t releases_ = 0;
  size_t measures_ = 0;
  size_t moved_ = 0;
  std::map<std::string, size_t> refused_;
  std::map<std::string, size_t> covered_;
};

}  // namespace tacit::adversary
