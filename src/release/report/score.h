#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/secrets/entropy.h"

namespace tacit::release {

// Two tables with the same columns, as numbers of cells that mean the same in both. For the owner:
// what is computed here reads the real rows, and is not for release.
struct CodedTable {
  std::vector<std::vector<uint32_t>> codes;  // by column
  // Of columns of numbers, as they are; NaN for none. Which these are is the coding's to say.
  std::vector<std::vector<double>> numbers = {};
  size_t rows() const { return codes.empty() ? 0 : codes[0].size(); }
};
struct Coding {
  std::vector<std::string> names;
  std::vector<size_t> cells;  // of each column
  std::vector<std::string> number_names = {};
};

// Over all tables of so many columns, as shares of the rows: the largest difference of a cell, the
// mean one, and the mean total variation (half of L1) of a table.
struct TableErrors {
  double max = 0;
  double mean = 0;
  double total_variation = 0;
  size_t tables = 0;
};
TableErrors CompareTables(const CodedTable& real, const CodedTable& made, const Coding& coding,
                          size_t ways);

// The total variation of every pair of columns, 0 on the diagonal.
std::vector<std::vector<double>> PairErrors(const CodedTable& real, const CodedTable& made,
                                            const Coding& coding);

// NIST's score over all pairs, 0 to 1000: (2 - mean L1) x 500.
inline double KMarginal(const TableErrors& pairs) { return (2 - 2 * pairs.total_variation) * 500; }

// Of the real rows that occur once, the share that occurs in the other table too.
struct UniqueMatches {
  size_t unique = 0;
  size_t matched = 0;
};
UniqueMatches MatchUnique(const CodedTable& real, const CodedTable& made);

// How often naive Bayes, taught by one table, is right about a column of the other.
double ClassifierAccuracy(const CodedTable& taught, const CodedTable& asked, const Coding& coding,
                          size_t target);

// One table against the real one.
struct Score {
  std::string name;
  std::array<TableErrors, 3> ways;  // of one, two and three columns; no tables: not computed
  UniqueMatches unique;
  double accuracy = 0;  // mean over `targets` of ScoreOf
};
// Columns that a classifier can be asked about: of two to twenty values.
std::vector<size_t> TargetsOf(const Coding& coding);
Score ScoreOf(const std::string& name, const CodedTable& real, const CodedTable& made,
              const Coding& coding, bool triples);

// The real table with every column shuffled by itself: as good as independent columns can be.
CodedTable Shuffled(const CodedTable& real, Entropy& entropy);
// So many of its rows, drawn without returning them.
CodedTable Sampled(const CodedTable& real, double share, Entropy& entropy);

// The share of the rows whose sample has this total variation, between the samples that were
// scored, which fall as samples grow; 0 and 1 beyond them.
double AsGoodAsSample(double total_variation,
                      const std::vector<std::pair<double, double>>& samples);

}  // namespace tacit::release
