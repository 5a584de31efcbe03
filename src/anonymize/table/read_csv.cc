#include "anonymize/table/read_csv.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "anonymize/table/dictionary.h"
#include "base/whole_file.h"

namespace tacit::anonymize {
namespace {

// Why 10,000: a wider table of people is a sparse one, and belongs in rows of (person, item).
constexpr size_t kColumnsMax = 10'000;
constexpr uint32_t kRowsMax = 1'000'000'000;

class CsvParser {
 public:
  CsvParser(std::string_view text, Table& table) : text_(text), table_(table) {}

  Result<Done> Parse(const CsvOptions& options) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    table_.delimiter = options.delimiter != 0 ? options.delimiter : GuessDelimiter();
    TACIT_CHECK(options.headings ? ReadHeadings() : NumberColumns());
    dictionaries_.resize(table_.columns.size());
    TACIT_CHECK(ReadRows());
    if (table_.rows == 0) return Wrong(line_, "there are no rows");
    for (size_t i = 0; i < dictionaries_.size(); ++i) {
      table_.columns[i].values = std::move(dictionaries_[i]).TakeValues();
    }
    return Done{};
  }

 private:
  // How a cell ended.
  enum class Stop { kDelimiter, kLine };

  Error Wrong(uint64_t line, const std::string& what, const std::string& hint = "") const {
    return InvalidArgument(table_.name + ":" + std::to_string(line) + ": " + what, hint);
  }

  char GuessDelimiter() const {
    const std::string_view first = text_.substr(at_, text_.find('\n', at_) - at_);
    char best = ',';
    for (const char candidate : {';', '\t', '|'}) {
      if (std::count(first.begin(), first.end(), candidate) >
          std::count(first.begin(), first.end(), best)) {
        best = candidate;
      }
    }
    return best;
  }

  void SkipEmptyLines() {
    while (at_ < text_.size()) {
      const size_t bytes = text_[at_] == '\n' ? 1 : text_.substr(at_, 2) == "\r\n" ? 2 : 0;
      if (bytes == 0) return;
      at_ += bytes;
      ++line_;
    }
  }

  // The next cell is left in `cell_`: a piece of the text, or of `unquoted_`.
  Result<Stop> NextCell() {
    if (at_ < text_.size() && text_[at_] == '"') {
      TACIT_CHECK(ReadQuoted());
    } else {
      const size_t start = at_;
      const char* const bytes = text_.data();
      const size_t size = text_.size();
      while (at_ < size && bytes[at_] != table_.delimiter && bytes[at_] != '\n') {
        if (bytes[at_] == '"') {
          return Wrong(line_, "a quote stands inside a cell that does not start with one");
        }
        if (bytes[at_] == 0) return Wrong(line_, "there is a zero byte: this is not a text file");
        ++at_;
      }
      cell_ = text_.substr(start, at_ - start);
      const bool at_line_end = at_ == size || bytes[at_] == '\n';
      if (at_line_end && cell_.ends_with('\r')) cell_.remove_suffix(1);
    }
    if (at_ >= text_.size()) return Stop::kLine;
    if (text_[at_] == table_.delimiter) {
      ++at_;
      return Stop::kDelimiter;
    }
    if (text_[at_] == '\r') ++at_;  // only ReadQuoted leaves one, with a line end after it
    ++at_;
    ++line_;
    return Stop::kLine;
  }

  Result<Done> ReadQuoted() {
    const uint64_t opened_at = line_;
    unquoted_.clear();
    ++at_;
    while (true) {
      const size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) return Wrong(opened_at, "a quote is not closed");
      const std::string_view piece = text_.substr(at_, quote - at_);
      line_ += static_cast<uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
      if (piece.find('\0') != std::string_view::npos) {
        return Wrong(opened_at, "there is a zero byte: this is not a text file");
      }
      unquoted_ += piece;
      at_ = quote + 1;
      if (at_ == text_.size() || text_[at_] != '"') break;
      unquoted_ += '"';  // a doubled quote stands for one
      ++at_;
    }
    cell_ = unquoted_;
    const std::string_view rest = text_.substr(at_, 2);
    if (!rest.empty() && rest[0] != table_.delimiter && rest[0] != '\n' && rest != "\r\n") {
      return Wrong(line_, "there is text after a closing quote");
    }
    return Done{};
  }

  Result<Done> ReadHeadings() {
    SkipEmptyLines();
    if (at_ >= text_.size()) {
      return Wrong(line_, "the file is empty", "the first line must hold the columns' names");
    }
    const uint64_t line = line_;
    std::set<std::string> seen;
    for (Stop stop = Stop::kDelimiter; stop == Stop::kDelimiter;) {
      TACIT_TRY(stop, NextCell());
      if (cell_.empty()) {
        return Wrong(line, "column " + std::to_string(table_.columns.size() + 1) + " has no name");
      }
      if (!seen.insert(std::string(cell_)).second) {
        return Wrong(line, "the column \"" + std::string(cell_) + "\" comes twice");
      }
      if (table_.columns.size() == kColumnsMax) {
        return Wrong(line, "there are more than " + std::to_string(kColumnsMax) + " columns");
      }
      table_.columns.push_back({.name = std::string(cell_), .values = {}, .codes = {}});
    }
    return Done{};
  }

  Result<Done> NumberColumns() {
    SkipEmptyLines();
    table_.first_line = 1;
    const size_t start = at_;
    const uint64_t line = line_;
    for (Stop stop = Stop::kDelimiter; stop == Stop::kDelimiter;) {
      TACIT_TRY(stop, NextCell());
      if (table_.columns.size() == kColumnsMax) return Wrong(line, "the line is too long");
      table_.columns.push_back(
          {.name = std::to_string(table_.columns.size() + 1), .values = {}, .codes = {}});
    }
    at_ = start;
    line_ = line;
    return Done{};
  }

  Result<Done> ReadRows() {
    const size_t columns = table_.columns.size();
    ReserveRows();
    for (SkipEmptyLines(); at_ < text_.size(); SkipEmptyLines()) {
      const uint64_t line = line_;
      size_t cells = 0;
      for (Stop stop = Stop::kDelimiter; stop == Stop::kDelimiter; ++cells) {
        TACIT_TRY(stop, NextCell());
        if (cells < columns) {
          table_.columns[cells].codes.push_back(dictionaries_[cells].CodeOf(cell_));
        }
      }
      if (cells != columns) {
        return Wrong(line,
                     std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
                         " where the first line has " + std::to_string(columns),
                     std::string("cells are separated by '") + table_.delimiter +
                         "'; --delimiter names another");
      }
      if (table_.rows == kRowsMax) return Wrong(line, "there are more than 10^9 rows");
      RememberPlace(line);
      ++table_.rows;
    }
    return Done{};
  }

  // Line ends bound the rows from above; the vectors then grow without copying.
  void ReserveRows() {
    const auto lines = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n')) + 1;
    // Why 2^26: a file of empty lines must not make us ask for memory that no row will use.
    for (CodedColumn& column : table_.columns)
      column.codes.reserve(std::min(lines, size_t{1} << 26));
  }

  // Keeps Table::Place true where records take several lines or empty lines stand between.
  void RememberPlace(uint64_t line) {
    const uint64_t expected = uint64_t{table_.rows} + table_.first_line + shift_;
    if (line > expected) {
      const auto more = static_cast<uint32_t>(line - expected);
      table_.line_shifts.emplace_back(table_.rows, more);
      shift_ += more;
    }
  }

  std::string_view text_;
  Table& table_;
  size_t at_ = 0;
  uint64_t line_ = 1;
  uint64_t shift_ = 0;
  std::string_view cell_;
  std::string unquoted_;
  std::vector<Dictionary> dictionaries_;
};

}  // namespace

Result<Table> ParseCsv(std::string_view text, std::string name, const CsvOptions& options) {
  Table table;
  table.name = std::move(name);
  TACIT_CHECK(CsvParser(text, table).Parse(options));
  return table;
}

Result<std::string> ReadWholeFile(const std::string& path) {
  std::optional<std::string> bytes = WholeFile(path);
  if (!bytes) return InvalidArgument("cannot read " + path + ": " + std::strerror(errno));
  return std::move(*bytes);
}

Result<Table> ReadCsv(const std::string& path, const CsvOptions& options) {
  TACIT_TRY(const std::string text, ReadWholeFile(path));
  return ParseCsv(text, path, options);
}

}  // namespace tacit::anonymize
