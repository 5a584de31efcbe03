#include "attack/intersection/published.h"

#include <bit>

#include "anonymize/partition/group_rows.h"

namespace tacit::attack {

using anonymize::Bounds;
using anonymize::Domain;
using anonymize::Kind;

uint32_t CodeSet::Count() const {
  int count = 0;
  for (const uint64_t word : words_) count += std::popcount(word);
  return static_cast<uint32_t>(count);
}

void CodeSet::Unite(const CodeSet& other) {
  for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

void CodeSet::Intersect(const CodeSet& other) {
  for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
}

PublishedClasses::PublishedClasses(std::span<const Domain> domains,
                                   const anonymize::Classes& classes, const Domain& sensitive)
    : columns_(domains.size()), values_(sensitive.size()), bounds_(classes.bounds) {
  for (const Domain& domain : domains) is_set_.push_back(domain.kind == Kind::kCategory);
  sets_.resize(classes.size() * columns_);
  for (size_t c = 0; c < classes.size(); ++c) {
    CodeSet& values = sensitive_.emplace_back(values_);
    for (const uint32_t row : classes.RowsOf(c)) values.Add(sensitive.codes[row]);
    for (size_t j = 0; j < columns_; ++j) {
      Bounds& bounds = bounds_[c * columns_ + j];
      if (bounds.low == bounds.high || bounds.suppressed()) continue;
      if (domains[j].kind == Kind::kHierarchy) {
        const anonymize::Hierarchy& tree = *domains[j].hierarchy;
        const auto& node = tree.nodes[tree.LowestOver(bounds.low, bounds.high)];
        bounds = {node.first, node.end - 1};
      }
      if (!is_set_[j]) continue;
      CodeSet& set = sets_[c * columns_ + j] = CodeSet(domains[j].size());
      for (const uint32_t row : classes.RowsOf(c)) set.Add(domains[j].codes[row]);
    }
  }
}

bool PublishedClasses::Holds(size_t c, std::span<const uint32_t> person) const {
  for (size_t j = 0; j < columns_; ++j) {
    const Bounds bounds = bounds_[c * columns_ + j];
    if (bounds.suppressed()) continue;
    if (person[j] < bounds.low || person[j] > bounds.high) return false;
    if (is_set_[j] && bounds.low < bounds.high && !sets_[c * columns_ + j].Holds(person[j])) {
      return false;
    }
  }
  return true;
}

CodeSet PublishedClasses::CandidatesOf(std::span<const uint32_t> person) const {
  CodeSet candidates(values_);
  for (size_t c = 0; c < sensitive_.size(); ++c) {
    if (Holds(c, person)) candidates.Unite(sensitive_[c]);
  }
  return candidates;
}

Result<PublishedFile> PublishedFile::Read(const anonymize::Table& table,
                                          const std::vector<std::string>& quasi_identifiers) {
  PublishedFile file;
  std::vector<size_t> columns;
  anonymize::Groups groups = anonymize::OneGroup(table.rows);
  for (const std::string& name : quasi_identifiers) {
    TACIT_TRY(const size_t column, table.IndexOf(name));
    columns.push_back(column);
    std::vector<anonymize::CellMeaning>& meanings = file.meanings_.emplace_back();
    for (const std::string& value : table.columns[column].values) {
      meanings.push_back(anonymize::ParseCell(value));
    }
    groups =
        anonymize::Refine(groups, table.columns[column].codes, table.columns[column].values.size());
  }
  file.rows_.resize(groups.count);
  file.codes_.resize(groups.count);
  for (uint32_t row = 0; row < table.rows; ++row) {
    const uint32_t c = groups.of[row];
    if (file.rows_[c].empty()) {
      for (const size_t column : columns) {
        file.codes_[c].push_back(table.columns[column].codes[row]);
      }
    }
    file.rows_[c].push_back(row);
  }
  return file;
}

std::vector<uint32_t> PublishedFile::ClassesOf(std::span<const std::string* const> person) const {
  // Whether each different cell holds the person is asked once, not once a class.
  std::vector<std::vector<bool>> holds;
  for (size_t j = 0; j < meanings_.size(); ++j) {
    std::vector<bool>& column = holds.emplace_back();
    for (const anonymize::CellMeaning& meaning : meanings_[j]) {
      column.push_back(meaning.Holds(*person[j]));
    }
  }
  std::vector<uint32_t> found;
  for (uint32_t c = 0; c < codes_.size(); ++c) {
    bool inside = true;
    for (size_t j = 0; j < holds.size() && inside; ++j) inside = holds[j][codes_[c][j]];
    if (inside) found.push_back(c);
  }
  return found;
}

}  // namespace tacit::attack
