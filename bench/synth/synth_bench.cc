// synth_bench nist|adult FILE | large ROWSxCOLUMNS [--epsilon E] [--seeds N] [--first S]
//             [--threads T] [--neighbours add_remove|replace_one] [--workload pairs|triples]
//             [--method M] [--ways 2|3]
// synth_bench write ROWSxCOLUMNS FILE
// The whole mechanism on a coded file, without the engine: one line of JSON a seed.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "accounting/zcdp.h"
#include "base/testing/tape_entropy.h"
#include "release/synthesize.h"

namespace {

using namespace tacit;
using namespace tacit::release;

struct Table {
  std::vector<std::string> names;
  std::vector<ColumnShape> shapes;
  std::vector<std::vector<uint16_t>> codes;
  size_t rows() const { return codes[0].size(); }
};

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) {
    while (!part.empty() && part.back() == '\r') part.pop_back();
    parts.push_back(part);
  }
  return parts;
}

// The columns of the file that are wanted (all where none is named), each value a cell. AGEP is in
// years from 0 to 99, whatever occurs.
Table Read(const std::string& path, const std::vector<std::string>& wanted) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = Split(line);
  Table table;
  table.names = wanted.empty() ? header : wanted;
  std::vector<size_t> places;
  for (const std::string& name : table.names) {
    places.push_back(
        static_cast<size_t>(std::find(header.begin(), header.end(), name) - header.begin()));
  }
  std::vector<std::vector<std::string>> values(table.names.size());
  while (std::getline(file, line)) {
    const std::vector<std::string> parts = Split(line);
    for (size_t c = 0; c < places.size(); ++c) values[c].push_back(parts.at(places[c]));
  }
  for (size_t c = 0; c < places.size(); ++c) {
    const bool age = table.names[c] == "AGEP";
    std::map<std::string, uint16_t> codes;
    for (const std::string& value : values[c]) codes.emplace(value, 0);
    uint16_t next = 0;
    for (auto& [value, code] : codes) code = next++;
    std::vector<uint16_t>& column = table.codes.emplace_back();
    for (const std::string& value : values[c]) {
      column.push_back(age ? static_cast<uint16_t>(std::stoi(value)) : codes[value]);
    }
    table.shapes.push_back({.cells = age ? 100u : codes.size(), .ordered = age});
  }
  return table;
}

// The domain that the file's own description declares.
void Declare(const std::string& domain, Table& table) {
  std::ifstream file(domain);
  const nlohmann::json sizes = nlohmann::json::parse(file);
  for (size_t c = 0; c < table.names.size(); ++c) {
    table.shapes[c].cells = sizes.at(table.names[c]).get<size_t>();
  }
}

// A coded file holds its codes.
Table ReadCoded(const std::string& path) {
  Table table = Read(path, {});
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  for (size_t r = 0; std::getline(file, line); ++r) {
    const std::vector<std::string> parts = Split(line);
    for (size_t c = 0; c < parts.size(); ++c) {
      table.codes[c][r] = static_cast<uint16_t>(std::stoi(parts[c]));
    }
  }
  return table;
}

// "1000000x20": so many rows and columns, of five kinds of people that most columns say something
// about. Every fifth column is a number below 100, and the others have twelve values.
Table Generate(const std::string& size) {
  const size_t rows = std::stoul(size);
  const size_t columns = std::stoul(size.substr(size.find('x') + 1));
  Table table;
  tacit::testing::SeededEntropy entropy(1);
  for (size_t c = 0; c < columns; ++c) {
    table.names.push_back("c" + std::to_string(c));
    const bool wide = c % 5 == 0;
    table.shapes.push_back({.cells = wide ? 100u : 12u, .ordered = wide});
  }
  table.codes.resize(columns, std::vector<uint16_t>(rows));
  for (size_t r = 0; r < rows; ++r) {
    const uint64_t kind = entropy.NextWord() % 5;
    for (size_t c = 0; c < columns; ++c) {
      const uint64_t word = entropy.NextWord();
      const bool follows = c % 4 != 3 && word % 16 < 9;
      const size_t cells = table.shapes[c].cells;
      const uint64_t value = follows
                                 ? (kind * (c + 1) * cells / 12 + word / 16 % (cells / 4)) % cells
                                 : word / 16 % cells;
      table.codes[c][r] = static_cast<uint16_t>(value);
    }
  }
  return table;
}

// The same as a file, with a number for each row before it.
int Write(const std::string& size, const std::string& path) {
  const Table table = Generate(size);
  std::ofstream file(path);
  file << "id";
  for (const std::string& name : table.names) file << "," << name;
  for (size_t r = 0; r < table.rows(); ++r) {
    file << "\n" << r;
    for (const std::vector<uint16_t>& column : table.codes) file << "," << column[r];
  }
  file << "\n";
  return file.flush() ? 0 : 1;
}

using Columns = std::vector<std::vector<uint16_t>>;

std::vector<double> Shares(const Columns& columns, const std::vector<size_t>& of,
                           const std::vector<size_t>& cells) {
  size_t size = 1;
  for (const size_t c : of) size *= cells[c];
  std::vector<double> shares(size);
  const size_t rows = columns[0].size();
  for (size_t r = 0; r < rows; ++r) {
    size_t cell = 0;
    for (const size_t c : of) cell = cell * cells[c] + columns[c][r];
    shares[cell] += 1.0 / static_cast<double>(rows);
  }
  return shares;
}

// Every subset of so many columns: max and mean over cells, mean total variation.
struct Errors {
  double max = 0;
  double mean = 0;
  double total_variation = 0;
};
Errors Compare(const Columns& real, const Columns& made, const std::vector<size_t>& cells,
               size_t ways) {
  Errors errors;
  double sum = 0;
  double all_cells = 0;
  size_t tables = 0;
  std::vector<size_t> of(ways);
  const std::function<void(size_t, size_t)> next = [&](size_t place, size_t first) {
    if (place < ways) {
      for (size_t c = first; c < cells.size(); ++c) {
        of[place] = c;
        next(place + 1, c + 1);
      }
      return;
    }
    const std::vector<double> a = Shares(real, of, cells);
    const std::vector<double> b = Shares(made, of, cells);
    for (size_t i = 0; i < a.size(); ++i) {
      const double off = std::abs(a[i] - b[i]);
      errors.max = std::max(errors.max, off);
      sum += off;
    }
    all_cells += static_cast<double>(a.size());
    ++tables;
  };
  next(0, 0);
  errors.mean = sum / all_cells;
  errors.total_variation = sum / 2 / static_cast<double>(tables);
  return errors;
}

// NIST's bins of a wide column: at most 20 percentiles of the real data.
std::vector<uint16_t> Percentiles(const std::vector<uint16_t>& real, size_t cells) {
  std::vector<size_t> counts(cells);
  for (const uint16_t code : real) ++counts[code];
  std::vector<uint16_t> bins(cells);
  size_t seen = 0;
  uint16_t bin = 0;
  for (size_t i = 0; i < cells; ++i) {
    bins[i] = bin;
    seen += counts[i];
    while (bin + 1u < 20 && seen * 20 >= real.size() * (bin + 1u)) ++bin;
  }
  return bins;
}

void Coarsen(const std::vector<uint16_t>& bins, std::vector<uint16_t>& column) {
  for (uint16_t& code : column) code = bins[code];
}

// Of all threads: what a run takes, whatever else the machine does.
double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::map<std::string, std::string> Flags(int argc, char** argv) {
  std::map<std::string, std::string> flags = {{"--epsilon", "1"},
                                              {"--seeds", "8"},
                                              {"--first", "1000"},
                                              {"--threads", "2"},
                                              {"--neighbours", "add_remove"},
                                              {"--workload", "pairs"},
                                              {"--method", "mixture"},
                                              {"--ways", "3"}};
  for (int i = 3; i + 1 < argc; i += 2) flags[argv[i]] = argv[i + 1];
  return flags;
}

int Run(int argc, char** argv) {
  const std::string kind = argv[1];
  const std::string path = argv[2];
  if (kind == "write" && argc > 3) return Write(path, argv[3]);
  std::map<std::string, std::string> flags = Flags(argc, argv);
  Table table = kind == "nist"    ? Read(path, {"AGEP", "SEX", "MSP", "RAC1P", "HOUSING_TYPE",
                                                "OWN_RENT", "EDU", "PINCP_DECILE", "DVET", "DEYE"})
                : kind == "large" ? Generate(path)
                                  : ReadCoded(path);
  if (flags.contains("--domain")) Declare(flags["--domain"], table);
  Joint joint{.codes = table.codes, .weights = std::vector<int64_t>(table.rows(), 1)};
  const auto rows = static_cast<Int128>(table.rows());
  const Delta delta(1, rows * rows);
  const Rho rho = accounting::ZcdpRhoDown(Epsilon(*ParseRational(flags["--epsilon"])), delta);
  const bool replaces = flags["--neighbours"] == "replace_one";
  const Moved moved{.rows = replaces ? 2 : 1, .l2_squared = replaces ? 2 : 1};
  SynthesisWish wish{.threads = std::stoul(flags["--threads"])};
  if (flags["--workload"] == "triples") wish.workload = Workload::kTriples;
  const std::map<std::string, Method> methods = {{"mixture", Method::kMixture},
                                                 {"direct", Method::kDirect},
                                                 {"adaptive", Method::kAdaptive},
                                                 {"mwem", Method::kMwem}};
  wish.method = methods.at(flags["--method"]);
  std::vector<size_t> cells;
  for (const ColumnShape& shape : table.shapes) cells.push_back(shape.cells);
  Columns real = table.codes;
  std::vector<uint16_t> bins;
  if (kind == "nist") {
    bins = Percentiles(real[0], cells[0]);
    Coarsen(bins, real[0]);
    cells[0] = 20;
  }
  for (uint64_t i = 0; i < std::stoul(flags["--seeds"]); ++i) {
    const uint64_t seed = std::stoul(flags["--first"]) + i;
    tacit::testing::SeededEntropy entropy(seed);
    const auto start = std::chrono::steady_clock::now();
    const double processor = ProcessorSeconds();
    SyntheticTable made = Synthesize(joint, table.shapes, moved, rho, wish, entropy, nullptr);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const double ran = ProcessorSeconds() - processor;
    if (kind == "nist") Coarsen(bins, made.codes[0]);
    const bool many = kind == "large" && cells.size() > 30;  // comparing takes longer than the run
    const Errors two = many ? Errors() : Compare(real, made.codes, cells, 2);
    const Errors three =
        kind == "large" || flags["--ways"] == "2" ? Errors() : Compare(real, made.codes, cells, 3);
    const nlohmann::json line = {{"seed", seed},
                                 {"seconds", took.count()},
                                 {"cpu", ran},
                                 {"rows", made.codes[0].size()},
                                 {"k2", (2 - 2 * two.total_variation) * 500},
                                 {"k3", (2 - 2 * three.total_variation) * 500},
                                 {"max3", three.max},
                                 {"mean3", three.mean},
                                 {"tv3", three.total_variation},
                                 {"chi_square", made.summary.chi_square},
                                 {"error", made.summary.error},
                                 {"tables", made.summary.tables},
                                 {"pairs", made.summary.pairs}};
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: synth_bench nist|adult FILE [flags]\n");
    return 2;
  }
  return Run(argc, argv);
}
