// How long coarsening takes, without and with its files: mondrian_bench FILE K [RUNS]. All columns
// are quasi-identifiers. With --invent ROWS FILE it writes a census-like table of nine columns
// instead.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "anonymize/anonymize.h"
#include "anonymize/partition/mondrian.h"
#include "anonymize/table/read_csv.h"
#include "attack/dice.h"
#include "attack/intersection/census.h"
#include "base/new_file.h"

namespace tacit {
namespace {

// Processor time: on a machine that others use too, the wall clock measures them.
double Milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Result<Done> Invent(uint32_t rows, const std::string& path) {
  const anonymize::Table people = attack::CensusLike(rows, 1);
  attack::Dice dice(2);
  TACIT_TRY(NewFile file, NewFile::Create(path));
  std::string text;
  for (const anonymize::CodedColumn& column : people.columns) text += column.name + ",";
  text += "hours\n";
  for (uint32_t row = 0; row < rows; ++row) {
    for (const anonymize::CodedColumn& column : people.columns) text += column.Cell(row) + ",";
    text += std::to_string(dice.Below(99)) + "\n";
  }
  TACIT_CHECK(file.Write(text));
  return file.Finish();
}

Result<Done> Measure(const std::string& path, uint32_t k, int runs) {
  double read = 1e18, code = 1e18, cut = 1e18;
  size_t classes = 0, rows = 0, columns = 0;
  for (int run = 0; run < runs; ++run) {
    double start = Milliseconds();
    TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(path));
    read = std::min(read, Milliseconds() - start);
    std::vector<std::string> names;
    for (const anonymize::CodedColumn& column : table.columns) names.push_back(column.name);
    start = Milliseconds();
    TACIT_TRY(const std::vector<anonymize::Domain> domains,
              anonymize::MakeDomains(table, names, {}));
    code = std::min(code, Milliseconds() - start);
    const std::vector<uint32_t> all = anonymize::AllRows(table);
    start = Milliseconds();
    TACIT_TRY(const anonymize::Classes found, anonymize::Mondrian(domains, all, {.k = k}, nullptr));
    cut = std::min(cut, Milliseconds() - start);
    classes = found.size();
    rows = all.size();
    columns = names.size();
  }
  std::printf(
      "%zu rows x %zu, k = %u: read %.1f ms, code %.1f ms, Mondrian %.1f ms, %zu classes; "
      "best of %d, processor time\n",
      rows, columns, k, read, code, cut, classes, runs);
  return Done{};
}

}  // namespace
}  // namespace tacit

int main(int argc, char** argv) {
  tacit::Result<tacit::Done> done = tacit::InvalidArgument(
      "usage: mondrian_bench FILE K [RUNS] | mondrian_bench --invent ROWS FILE");
  if (argc == 4 && std::strcmp(argv[1], "--invent") == 0) {
    done = tacit::Invent(static_cast<uint32_t>(std::atoi(argv[2])), argv[3]);
  } else if (argc >= 3) {
    done = tacit::Measure(argv[1], static_cast<uint32_t>(std::atoi(argv[2])),
                          argc > 3 ? std::atoi(argv[3]) : 20);
  }
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().public_message.c_str());
  return done.ok() ? 0 : 1;
}
