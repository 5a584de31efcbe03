#include "statistics.h"

#include <iomanip>
#include <iostream>

namespace tacit::adversary {

void Statistics::Add(const Question& question, const Outcome& outcome) {
  ++asked_;
  releases_ += outcome.releases;
  measures_ += outcome.measures;
  moved_ += outcome.moved;
  if (!outcome.accepted) {
    ++refused_[outcome.refused_by];
    return;
  }
  ++accepted_;
  for (const std::string& feature : question.features.used()) ++covered_[feature];
}

void Statistics::PrintLine(std::ostream& out) const {
  out << asked_ << " queries, " << accepted_ << " accepted, " << releases_ << " releases with "
      << measures_ << " numbers measured, " << moved_ << " moved";
}

void Statistics::Print(std::ostream& out) const {
  PrintLine(out);
  out << "\n\nrefused by\n";
  for (const auto& [rule, count] : refused_) {
    out << "  " << std::setw(7) << count << "  " << rule << "\n";
  }
  out << "\nused by accepted queries\n";
  for (const std::string& feature : AllFeatures()) {
    const auto found = covered_.find(feature);
    out << "  " << std::setw(7) << (found == covered_.end() ? 0 : found->second) << "  " << feature
        << "\n";
  }
}

std::vector<std::string> Statistics::NotCovered() const {
  std::vector<std::string> missing;
  for (const std::string& feature : AllFeatures()) {
    if (!covered_.contains(feature)) missing.push_back(feature);
  }
  return missing;
}

}  // namespace tacit::adversary
