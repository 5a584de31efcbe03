#include "anonymize/table/table.h"

namespace tacit::anonymize {

const CodedColumn* Table::Find(std::string_view column) const {
  for (const CodedColumn& candidate : columns) {
    if (candidate.name == column) return &candidate;
  }
  return nullptr;
}

Result<size_t> Table::IndexOf(std::string_view column) const {
  const CodedColumn* found = Find(column);
  if (found != nullptr) return static_cast<size_t>(found - columns.data());
  // Why 20: the names of a wide file would bury the message.
  constexpr size_t kNamesShown = 20;
  std::string names;
  for (size_t i = 0; i < columns.size() && i < kNamesShown; ++i) {
    names += (i == 0 ? "" : ", ") + columns[i].name;
  }
  if (columns.size() > kNamesShown) names += ", ...";
  return InvalidArgument(name + ":1: there is no column \"" + std::string(column) + "\"",
                         "the columns of the first line are: " + names);
}

std::string Table::Place(uint32_t row) const {
  uint64_t line = uint64_t{row} + first_line;
  for (const auto& [first_row, more] : line_shifts) {
    if (first_row <= row) line += more;
  }
  return name + ":" + std::to_string(line);
}

std::vector<uint32_t> FirstRows(const CodedColumn& column) {
  std::vector<uint32_t> first(column.values.size(), UINT32_MAX);
  for (uint32_t row = 0; row < column.codes.size(); ++row) {
    uint32_t& slot = first[column.codes[row]];
    if (slot == UINT32_MAX) slot = row;
  }
  return first;
}

Table TakeRows(const Table& table, const std::vector<uint32_t>& rows) {
  Table taken{.name = table.name,
              .delimiter = table.delimiter,
              .rows = static_cast<uint32_t>(rows.size()),
              .first_line = table.first_line,
              .columns = {},
              .line_shifts = {}};
  for (const CodedColumn& column : table.columns) {
    CodedColumn& copy = taken.columns.emplace_back(CodedColumn{column.name, column.values, {}});
    copy.codes.reserve(rows.size());
    for (const uint32_t row : rows) copy.codes.push_back(column.codes[row]);
  }
  return taken;
}

}  // namespace tacit::anonymize
