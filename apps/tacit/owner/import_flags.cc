#include "tacit/owner/import_flags.h"

#include <cstdio>

#include "tacit/commands.h"

namespace tacit::app {
namespace {

Result<std::optional<char>> OneCharacter(const std::string& flag, const std::string& text) {
  if (text.empty()) return std::optional<char>();
  if (text == "tab" || text == "\\t") return std::optional<char>('\t');
  if (text == "none") return std::optional<char>('\0');
  if (text.size() == 1 && text[0] >= ' ' && text[0] < 0x7f) return std::optional<char>(text[0]);
  return InvalidArgument(flag + " '" + text + "' is not one character",
                         "like " + flag + " ';' or " + flag + " tab");
}

}  // namespace

void AddImportFlags(Command command, ImportFlags& flags) {
  command.Value("--unit", flags.units, "TABLE.COLUMN whose values are the people").OneAtATime();
  command.Value("--delimiter", flags.delimiter,
                "what separates fields of a CSV file: a character or tab; found unless given");
  command.Value("--quote", flags.quote,
                "what quotes them: a character or none; found unless given");
  command.Value("--header", flags.header, "whether the first line names the columns: yes or no")
      .OneOf({"yes", "no"});
  command.Value("--decimal", flags.decimal, "what separates the fraction of a number: . or ,")
      .OneOf({".", ","});
  command.Value("--date-format", flags.date_format, "how dates are written, like %d.%m.%Y")
      .NotEmpty();
  command
      .Value("--timestamp-format", flags.timestamp_format,
             "how times are written, like '%d.%m.%Y %H:%M'")
      .NotEmpty();
  command.Value("--null", flags.nulls, "a text that means no value, like n/a; as often as needed")
      .OneAtATime();
  command.Value("--encoding", flags.encoding, "of CSV files: utf-8, latin-1 or utf-16")
      .OneOf({"utf-8", "latin-1", "utf-16"});
}

Result<owner::CsvDialect> DialectOf(const ImportFlags& flags) {
  owner::CsvDialect dialect;
  TACIT_TRY(dialect.delimiter, OneCharacter("--delimiter", flags.delimiter));
  TACIT_TRY(dialect.quote, OneCharacter("--quote", flags.quote));
  if (dialect.delimiter == '\0') {
    return InvalidArgument("--delimiter none: a file of one column needs no delimiter",
                           "leave --delimiter out");
  }
  if (!flags.header.empty()) dialect.header = flags.header == "yes";
  if (!flags.decimal.empty()) dialect.decimal = flags.decimal[0];
  dialect.date_format = flags.date_format;
  dialect.timestamp_format = flags.timestamp_format;
  dialect.nulls = flags.nulls;
  dialect.encoding = flags.encoding;
  return dialect;
}

Result<owner::TableFile> ReadTableFile(const std::string& flag, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return InvalidArgument(flag + "'" + text + "' is not NAME=FILE",
                           "like " + flag + "patients=patients.csv");
  }
  return owner::TableFile{text.substr(0, equals), text.substr(equals + 1)};
}

Result<std::vector<owner::UnitColumn>> ReadUnits(const std::vector<std::string>& texts) {
  std::vector<owner::UnitColumn> units;
  for (const std::string& text : texts) {
    const size_t dot = text.rfind('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
      return InvalidArgument("--unit '" + text + "' is not TABLE.COLUMN",
                             "like --unit patients.ssn");
    }
    units.push_back({text.substr(0, dot), text.substr(dot + 1)});
  }
  return units;
}

void PrintNotes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::fprintf(stderr, "NOTE:  %s\n", note.c_str());
}

}  // namespace tacit::app
