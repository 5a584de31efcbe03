#include "owner/import/sniff.h"

#include <algorithm>
#include <set>

#include "base/numbers/rational.h"
#include "policy/schema.h"

namespace tacit::owner {
namespace {

struct Field {
  std::string text;
  bool quoted = false;
};
using CsvRecord = std::vector<Field>;

// A line ends a record unless it ends inside quotes.
std::vector<CsvRecord> Split(const std::vector<std::string>& lines, char delimiter, char quote) {
  std::vector<CsvRecord> records;
  CsvRecord record;
  Field field;
  bool inside = false;
  for (const std::string& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (inside) {
        if (c != quote) {
          field.text += c;
        } else if (i + 1 < line.size() && line[i + 1] == quote) {
          field.text += line[++i];
        } else {
          inside = false;
        }
      } else if (quote != 0 && c == quote && field.text.empty()) {
        inside = field.quoted = true;
      } else if (c == delimiter) {
        record.push_back(std::exchange(field, {}));
      } else if (c != '\r') {
        field.text += c;
      }
    }
    if (inside) {
      field.text += '\n';
      continue;
    }
    record.push_back(std::exchange(field, {}));
    records.push_back(std::exchange(record, {}));
  }
  return records;
}

// The records of a sample: its last one may have been cut off.
std::vector<CsvRecord> Sample(const std::vector<std::string>& lines, bool all, char delimiter,
                              char quote) {
  std::vector<CsvRecord> records = Split(lines, delimiter, quote);
  if (!all && records.size() > 1) records.pop_back();
  return records;
}

bool AllHave(const std::vector<CsvRecord>& records, size_t fields) {
  return std::all_of(records.begin(), records.end(),
                     [&](const CsvRecord& record) { return record.size() == fields; });
}

// The one that splits every record into as many fields, and into most; where none does, the one
// that splits the first line into most: the line that does not fit is then found as it is read.
char DelimiterOf(const std::vector<std::string>& lines, bool all, char quote) {
  char best = ',';
  size_t best_fields = 1;
  bool best_fits = false;
  for (const char candidate : {',', '\t', ';', '|'}) {
    const std::vector<CsvRecord> records = Sample(lines, all, candidate, quote);
    if (records.empty()) continue;
    const size_t fields = records[0].size();
    const bool fits = fields > 1 && AllHave(records, fields);
    if (std::pair(fits, fields) <= std::pair(best_fits, best_fields)) continue;
    best = candidate;
    best_fields = fields;
    best_fits = fits;
  }
  return best;
}

// ' where every value of some column stands in them and nothing stands in ".
char QuoteOf(const std::vector<std::string>& lines, bool all, const CsvDialect& given) {
  const auto has = [&](char c) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(c) != std::string::npos; });
  };
  if (has('"') || !has('\'')) return '"';
  const char delimiter = given.delimiter ? *given.delimiter : DelimiterOf(lines, all, '\'');
  const std::vector<CsvRecord> records = Sample(lines, all, delimiter, '\'');
  if (records.size() < 2 || !AllHave(records, records[0].size())) return '"';
  for (size_t column = 0; column < records[0].size(); ++column) {
    const bool quoted = std::all_of(records.begin() + 1, records.end(),
                                    [&](const CsvRecord& record) { return record[column].quoted; });
    if (quoted) return '\'';
  }
  return '"';
}

bool HasDateShape(std::string_view text) {
  if (text.size() < 8 || text.size() > 10) return false;
  int separators = 0;
  for (const char c : text) {
    if (c == '-' || c == '/' || c == '.') {
      ++separators;
    } else if (c < '0' || c > '9') {
      return false;
    }
  }
  return separators == 2;
}

bool LooksLikeNumber(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  return ParseRational(text).ok();
}

// Why the record is hardly a list of names; empty: it may well be one.
std::string WhyData(const CsvRecord& record) {
  std::set<std::string> names;
  for (const Field& field : record) {
    const std::string shown = "'" + field.text.substr(0, 40) + "'";
    if (field.text.empty()) return "one of its fields is empty";
    if (LooksLikeNumber(field.text)) return shown + " is a number";
    if (HasDateShape(field.text)) return shown + " is a date";
    if (!names.insert(policy::FoldedName(field.text)).second) return shown + " stands there twice";
  }
  return "";
}

std::string Shown(char c) { return c == '\t' ? "tabs" : std::string("'") + c + "'"; }

}  // namespace

Result<CsvShape> Sniff(const std::vector<std::string>& lines, bool all, const CsvDialect& given,
                       const std::string& file) {
  if (lines.empty()) {
    return InvalidArgument(file + " is empty", "a table needs a line that names its columns");
  }
  CsvShape shape;
  shape.quote = given.quote ? *given.quote : QuoteOf(lines, all, given);
  shape.delimiter = given.delimiter ? *given.delimiter : DelimiterOf(lines, all, shape.quote);
  shape.header = given.header.value_or(true);
  const std::vector<CsvRecord> records = Sample(lines, all, shape.delimiter, shape.quote);
  if (records.empty()) {
    return InvalidArgument("the first line of " + file + " begins a quoted text that never ends",
                           "say what quotes fields: --quote none, or a character");
  }
  shape.fields = records[0].size();
  if (given.header) return shape;
  const std::string why = WhyData(records[0]);
  if (why.empty()) return shape;
  return InvalidArgument(
      "the first line of " + file + " looks like data and not like names of columns: " + why,
      "say what it is: --header yes if it names the columns, --header no if it is data "
      "(the columns are then column0, column1 and so on)");
}

std::string ToText(const CsvShape& shape) {
  return "fields are separated by " + Shown(shape.delimiter) +
         (shape.quote == 0 ? ", nothing is quoted" : std::string(", quoted by ") + shape.quote) +
         (shape.header ? ", the first line names the columns"
                       : ", there is no line of names: the columns are column0, column1, ...");
}

}  // namespace tacit::owner
