// Tables and hierarchies from outside: what is accepted reads back as it was, and coarsens.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "anonymize/anonymize.h"
#include "anonymize/partition/hierarchy.h"
#include "anonymize/partition/mondrian.h"
#include "anonymize/release/cell.h"
#include "anonymize/table/read_csv.h"
#include "base/quoted.h"

namespace tacit::anonymize {
namespace {

std::string Written(const Table& table) {
  std::string text = "\xef\xbb\xbf";  // one mark is skipped, so a second one stays in the name
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) text += table.delimiter;
    AppendCsvCell(table.columns[i].name, table.delimiter, text);
  }
  for (uint32_t row = 0; row < table.rows; ++row) {
    text += '\n';
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) text += table.delimiter;
      // A line with nothing on it would be skipped.
      const std::string& cell = table.columns[i].Cell(row);
      if (cell.empty()) text += "\"\"";
      AppendCsvCell(cell, table.delimiter, text);
    }
  }
  return text;
}

void TryTable(std::string_view text) {
  const Result<Table> table = ParseCsv(text, "input");
  if (!table.ok()) {
    TACIT_ASSERT(!table.error().public_message.empty());
    return;
  }
  const Result<Table> again = ParseCsv(Written(*table), "again", {.delimiter = table->delimiter});
  TACIT_ASSERT(again.ok() && again->rows == table->rows);
  std::vector<Domain> domains;
  for (size_t i = 0; i < table->columns.size(); ++i) {
    TACIT_ASSERT(again->columns[i].values == table->columns[i].values);
    TACIT_ASSERT(again->columns[i].codes == table->columns[i].codes);
    for (const std::string& value : table->columns[i].values) (void)ParseCell(value);
    if (i >= 8) continue;
    Result<Domain> domain = MakeDomain(*table, i);
    if (domain.ok()) domains.push_back(std::move(domain).value());
  }
  (void)table->Place(table->rows - 1);
  const std::vector<uint32_t> rows = AllRows(*table);
  const Result<Classes> classes = Mondrian(domains, rows, {.k = 2}, nullptr);
  TACIT_ASSERT(classes.ok() == (rows.size() >= 2));
  if (classes.ok()) TACIT_ASSERT(Measure(domains, *classes, nullptr).smallest >= 2);
}

}  // namespace
}  // namespace tacit::anonymize

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  tacit::anonymize::TryTable(text);
  const auto tree = tacit::anonymize::ParseHierarchy(text, "input");
  if (tree.ok()) (void)tree->LowestOver(0, static_cast<uint32_t>(tree->leaves.size() - 1));
  return 0;
}
