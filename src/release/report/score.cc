#include "release/report/score.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>

#include "release/measure/coarse.h"

namespace tacit::release {
namespace {

// The differences of all cells that somebody is in: cells of nobody are equal, and there may be
// many.
void AddTable(const CodedTable& real, const CodedTable& made, const Coding& coding,
              const std::vector<size_t>& columns, TableErrors& errors, double& sum, double& cells) {
  uint64_t size = 1;
  for (const size_t c : columns) size *= coding.cells[c];
  const auto count = [&](const CodedTable& table, double sign, auto& into) {
    const double share = sign / static_cast<double>(std::max<size_t>(1, table.rows()));
    for (size_t r = 0; r < table.rows(); ++r) {
      uint64_t cell = 0;
      for (const size_t c : columns) cell = cell * coding.cells[c] + table.codes[c][r];
      into[cell] += share;
    }
  };
  const auto finish = [&](double off) {
    errors.max = std::max(errors.max, std::abs(off));
    sum += std::abs(off);
  };
  // Why 4,000,000: an array of 32 MB; beyond it most cells are nobody's.
  if (size <= 4'000'000) {
    std::vector<double> differences(size);
    count(real, 1, differences);
    count(made, -1, differences);
    for (const double off : differences) finish(off);
  } else {
    std::unordered_map<uint64_t, double> differences;
    count(real, 1, differences);
    count(made, -1, differences);
    for (const auto& [cell, off] : differences) finish(off);
  }
  cells += static_cast<double>(size);
  ++errors.tables;
}

std::vector<uint32_t> RowAt(const CodedTable& table, size_t row) {
  std::vector<uint32_t> values;
  for (const std::vector<uint32_t>& column : table.codes) values.push_back(column[row]);
  return values;
}

CodedTable Take(const CodedTable& table, const std::vector<size_t>& rows) {
  CodedTable taken;
  for (const std::vector<uint32_t>& column : table.codes) {
    std::vector<uint32_t>& codes = taken.codes.emplace_back();
    for (const size_t r : rows) codes.push_back(column[r]);
  }
  for (const std::vector<double>& column : table.numbers) {
    std::vector<double>& numbers = taken.numbers.emplace_back();
    for (const size_t r : rows) numbers.push_back(column[r]);
  }
  return taken;
}

}  // namespace

TableErrors CompareTables(const CodedTable& real, const CodedTable& made, const Coding& coding,
                          size_t ways) {
  TableErrors errors;
  double sum = 0;
  double cells = 0;
  std::vector<size_t> columns;
  const std::function<void(size_t)> choose = [&](size_t first) {
    if (columns.size() == ways) {
      AddTable(real, made, coding, columns, errors, sum, cells);
      return;
    }
    for (size_t c = first; c < coding.cells.size(); ++c) {
      columns.push_back(c);
      choose(c + 1);
      columns.pop_back();
    }
  };
  choose(0);
  if (errors.tables == 0) return errors;
  errors.mean = sum / cells;
  errors.total_variation = sum / 2 / static_cast<double>(errors.tables);
  return errors;
}

std::vector<std::vector<double>> PairErrors(const CodedTable& real, const CodedTable& made,
                                            const Coding& coding) {
  const size_t columns = coding.cells.size();
  std::vector<std::vector<double>> errors(columns, std::vector<double>(columns));
  for (size_t a = 0; a < columns; ++a) {
    for (size_t b = a + 1; b < columns; ++b) {
      TableErrors ignored;
      double sum = 0;
      double cells = 0;
      AddTable(real, made, coding, {a, b}, ignored, sum, cells);
      errors[a][b] = errors[b][a] = sum / 2;
    }
  }
  return errors;
}

UniqueMatches MatchUnique(const CodedTable& real, const CodedTable& made) {
  std::map<std::vector<uint32_t>, size_t> seen;
  for (size_t r = 0; r < real.rows(); ++r) ++seen[RowAt(real, r)];
  std::erase_if(seen, [](const auto& entry) { return entry.second != 1; });
  UniqueMatches matches{.unique = seen.size(), .matched = 0};
  for (size_t r = 0; r < made.rows(); ++r) {
    const auto found = seen.find(RowAt(made, r));
    if (found == seen.end()) continue;
    ++matches.matched;
    seen.erase(found);
  }
  return matches;
}

double ClassifierAccuracy(const CodedTable& taught, const CodedTable& asked, const Coding& coding,
                          size_t target) {
  const size_t kinds = coding.cells[target];
  std::vector<double> prior(kinds, 1);
  for (const uint32_t kind : taught.codes[target]) prior[kind] += 1;
  std::vector<std::vector<double>> scores(asked.rows(), std::vector<double>(kinds));
  for (size_t c = 0; c < coding.cells.size(); ++c) {
    if (c == target) continue;
    // One row more for each value, so that what was never seen is not impossible.
    std::vector<double> counts(kinds * coding.cells[c], 1);
    for (size_t r = 0; r < taught.rows(); ++r) {
      counts[taught.codes[target][r] * coding.cells[c] + taught.codes[c][r]] += 1;
    }
    for (size_t k = 0; k < kinds; ++k) {
      const double all = prior[k] + static_cast<double>(coding.cells[c]);
      for (size_t v = 0; v < coding.cells[c]; ++v) {
        double& cell = counts[k * coding.cells[c] + v];
        cell = std::log(cell / all);
      }
    }
    for (size_t r = 0; r < asked.rows(); ++r) {
      for (size_t k = 0; k < kinds; ++k) {
        scores[r][k] += counts[k * coding.cells[c] + asked.codes[c][r]];
      }
    }
  }
  size_t right = 0;
  for (size_t r = 0; r < asked.rows(); ++r) {
    for (size_t k = 0; k < kinds; ++k) scores[r][k] += std::log(prior[k]);
    const auto best = std::max_element(scores[r].begin(), scores[r].end());
    right += static_cast<size_t>(best - scores[r].begin()) == asked.codes[target][r] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(std::max<size_t>(1, asked.rows()));
}

std::vector<size_t> TargetsOf(const Coding& coding) {
  std::vector<size_t> targets;
  for (size_t c = 0; c < coding.cells.size(); ++c) {
    if (coding.cells[c] >= 2 && coding.cells[c] <= 20) targets.push_back(c);
  }
  return targets;
}

Score ScoreOf(const std::string& name, const CodedTable& real, const CodedTable& made,
              const Coding& coding, bool triples) {
  Score score{.name = name, .ways = {}, .unique = MatchUnique(real, made), .accuracy = 0};
  for (size_t ways = 1; ways <= (triples ? 3u : 2u); ++ways) {
    score.ways[ways - 1] = CompareTables(real, made, coding, ways);
  }
  const std::vector<size_t> targets = TargetsOf(coding);
  for (const size_t target : targets) {
    score.accuracy +=
        ClassifierAccuracy(made, real, coding, target) / static_cast<double>(targets.size());
  }
  return score;
}

CodedTable Shuffled(const CodedTable& real, Entropy& entropy) {
  CodedTable shuffled = real;
  for (std::vector<uint32_t>& column : shuffled.codes) {
    for (size_t i = column.size(); i > 1; --i) {
      std::swap(column[i - 1], column[UniformBelow(i, entropy)]);
    }
  }
  for (std::vector<double>& column : shuffled.numbers) {
    for (size_t i = column.size(); i > 1; --i) {
      std::swap(column[i - 1], column[UniformBelow(i, entropy)]);
    }
  }
  return shuffled;
}

CodedTable Sampled(const CodedTable& real, double share, Entropy& entropy) {
  std::vector<size_t> rows(real.rows());
  std::iota(rows.begin(), rows.end(), size_t{0});
  const auto wanted = static_cast<size_t>(std::llround(share * static_cast<double>(rows.size())));
  for (size_t i = 0; i < wanted; ++i) {
    std::swap(rows[i], rows[i + UniformBelow(rows.size() - i, entropy)]);
  }
  rows.resize(wanted);
  return Take(real, rows);
}

double AsGoodAsSample(double total_variation,
                      const std::vector<std::pair<double, double>>& samples) {
  if (samples.empty() || total_variation >= samples.front().second) return 0;
  for (size_t i = 1; i < samples.size(); ++i) {
    const auto [smaller, worse] = samples[i - 1];
    const auto [larger, better] = samples[i];
    if (total_variation < better) continue;
    // Errors of samples fall with the root of their size: straight lines between logarithms.
    const double along = std::log(worse / total_variation) / std::log(worse / better);
    return smaller * std::pow(larger / smaller, along);
  }
  return 1;
}

}  // namespace tacit::release
