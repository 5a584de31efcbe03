#include "wire/pg/types/copy_row.h"

#include "wire/pg/types/parts.h"

namespace tacit::wire::pg {
namespace {

// A backslash before what would end the value or the line.
void AppendText(std::string& line, const std::string& value, char delimiter) {
  for (const char c : value) {
    switch (c) {
      case '\b':
        line += "\\b";
        break;
      case '\f':
        line += "\\f";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\v':
        line += "\\v";
        break;
      default:
        if (c == '\\' || c == delimiter) line += '\\';
        line += c;
    }
  }
}

void AppendCsv(std::string& line, const std::string& value, const sql::CopyCommand& copy,
               bool alone) {
  // `\.` on a line of its own would end the rows; a value like NULL's text is no NULL.
  bool quoted = value == copy.null || (alone && value == "\\.");
  for (const char c : value) {
    quoted = quoted || c == copy.delimiter || c == copy.quote || c == '\n' || c == '\r';
  }
  if (!quoted) {
    line += value;
    return;
  }
  line += copy.quote;
  for (const char c : value) {
    if (c == copy.quote || c == copy.escape) line += copy.escape;
    line += c;
  }
  line += copy.quote;
}

using Texts = std::vector<std::optional<std::string>>;  // nothing is NULL

std::string TextLine(const sql::CopyCommand& copy, const Texts& row) {
  std::string line;
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += copy.delimiter;
    if (!row[i]) {
      line += copy.null;
    } else if (copy.format == sql::CopyFormat::kCsv) {
      AppendCsv(line, *row[i], copy, row.size() == 1);
    } else {
      AppendText(line, *row[i], copy.delimiter);
    }
  }
  return line + "\n";
}

Result<Texts> TextsOf(const std::vector<Oid>& types, const std::vector<engine::Value>& row,
                      const ClientForm& form) {
  Texts texts(row.size());
  for (size_t i = 0; i < row.size(); ++i) {
    if (!engine::IsNull(row[i])) {
      TACIT_TRY(texts[i], TextFor(form, types[i], row[i]));
    }
  }
  return texts;
}

}  // namespace

std::string CopyHead(const sql::CopyCommand& copy, const std::vector<std::string>& names) {
  if (copy.format == sql::CopyFormat::kBinary) {
    return std::string("PGCOPY\n\377\r\n\0", 11) + BytesOf(0, 4) + BytesOf(0, 4);
  }
  if (!copy.header) return "";
  return TextLine(copy, Texts(names.begin(), names.end()));
}

std::string CopyTail(const sql::CopyCommand& copy) {
  return copy.format == sql::CopyFormat::kBinary ? BytesOf(-1, 2) : "";
}

Result<std::string> CopyLine(const sql::CopyCommand& copy, const std::vector<Oid>& types,
                             const std::vector<engine::Value>& row, const ClientForm& form) {
  if (copy.format != sql::CopyFormat::kBinary) {
    TACIT_TRY(const Texts texts, TextsOf(types, row, form));
    return TextLine(copy, texts);
  }
  std::string tuple = BytesOf(static_cast<int64_t>(row.size()), 2);
  for (size_t i = 0; i < row.size(); ++i) {
    if (engine::IsNull(row[i])) {
      tuple += BytesOf(-1, 4);
      continue;
    }
    TACIT_TRY(const std::string binary, BinaryFor(form, types[i], row[i]));
    tuple += BytesOf(static_cast<int64_t>(binary.size()), 4) + binary;
  }
  return tuple;
}

}  // namespace tacit::wire::pg
