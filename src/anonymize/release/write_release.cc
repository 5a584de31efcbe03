#include <algorithm>
#include <numeric>

#include "anonymize/anonymize.h"
#include "anonymize/release/cell.h"
#include "base/new_file.h"
#include "base/quoted.h"

namespace tacit::anonymize {
namespace {

// Why 1 MiB: a write for every few thousand rows.
constexpr size_t kBlockBytes = size_t{1} << 20;

// The place of every value in the order of texts, so that rows can be sorted by what is shown.
std::vector<uint32_t> RanksOf(const CodedColumn& column) {
  std::vector<uint32_t> order(column.values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return column.values[a] < column.values[b]; });
  std::vector<uint32_t> ranks(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

class Writer {
 public:
  Writer(const Table& table, const Release& release) : table_(table), release_(release) {
    place_of_.resize(table.columns.size());
    for (size_t j = 0; j < release.columns.size(); ++j) place_of_[release.columns[j]] = j;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      ranks_.push_back(IsShown(i) ? RanksOf(table.columns[i]) : std::vector<uint32_t>());
      std::vector<std::string>& cells = cells_.emplace_back();
      if (!IsShown(i)) continue;
      for (const std::string& value : table.columns[i].values) {
        AppendCsvCell(value, table.delimiter, cells.emplace_back());
      }
    }
  }

  Result<Done> WriteTo(NewFile& file) {
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      if (i > 0) block_ += table_.delimiter;
      AppendCsvCell(table_.columns[i].name, table_.delimiter, block_);
    }
    block_ += '\n';
    for (size_t c = 0; c < release_.classes.size(); ++c) {
      AppendClass(c);
      if (block_.size() < kBlockBytes) continue;
      TACIT_CHECK(file.Write(block_));
      block_.clear();
    }
    return file.Write(block_);
  }

 private:
  bool IsShown(size_t column) const {
    return release_.roles[column] == Role::kSensitive || release_.roles[column] == Role::kKept;
  }

  void AppendClass(size_t c) {
    rows_.assign(release_.classes.RowsOf(c).begin(), release_.classes.RowsOf(c).end());
    std::sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
      for (size_t i = 0; i < ranks_.size(); ++i) {
        if (ranks_[i].empty()) continue;
        const std::vector<uint32_t>& codes = table_.columns[i].codes;
        if (codes[a] != codes[b]) return ranks_[i][codes[a]] < ranks_[i][codes[b]];
      }
      return false;
    });
    // What all rows of the class share is put together once: the texts between shown cells.
    shared_.assign(1, "");
    shown_.clear();
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      if (i > 0) shared_.back() += table_.delimiter;
      if (IsShown(i)) {
        shown_.push_back(i);
        shared_.emplace_back();
      } else {
        AppendSharedCell(c, i);
      }
    }
    for (const uint32_t row : rows_) {
      for (size_t s = 0; s < shown_.size(); ++s) {
        block_ += shared_[s];
        block_ += cells_[shown_[s]][table_.columns[shown_[s]].codes[row]];
      }
      block_ += shared_.back();
      block_ += '\n';
    }
  }

  void AppendSharedCell(size_t c, size_t column) {
    if (release_.roles[column] == Role::kRedacted) {
      shared_.back() += kSuppressed;
      return;
    }
    const size_t j = place_of_[column];
    const Bounds bounds = release_.classes.BoundsOf(c)[j];
    const Domain& domain = release_.domains[j];
    if (domain.kind == Kind::kCategory && bounds.low < bounds.high) {
      PresentCodes(domain, rows_, present_);
    }
    AppendCsvCell(CellText(domain, bounds, present_), table_.delimiter, shared_.back());
  }

  const Table& table_;
  const Release& release_;
  std::vector<size_t> place_of_;                 // column -> its place among quasi-identifiers
  std::vector<std::vector<uint32_t>> ranks_;     // of shown columns
  std::vector<std::vector<std::string>> cells_;  // of shown columns, quoted
  std::vector<uint32_t> rows_;
  std::vector<uint32_t> present_;
  std::vector<std::string> shared_;
  std::vector<size_t> shown_;
  std::string block_;
};

}  // namespace

Result<Done> WriteRelease(const Table& table, const Release& release, const std::string& path) {
  TACIT_TRY(NewFile file, NewFile::Create(path));
  TACIT_CHECK(Writer(table, release).WriteTo(file));
  return file.Finish();
}

}  // namespace tacit::anonymize
