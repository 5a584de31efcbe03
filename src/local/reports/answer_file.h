#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tacit::local {

// People's answers as CSV, read a record at a time: one column without a heading, or a named column
// of a file with headings. Quotes as RFC 4180 has them, but a record is one line.
class AnswerReader {
 public:
  AnswerReader(std::istream& input, std::string name) : input_(input), name_(std::move(name)) {}

  // Reads the headings and looks for the column; without this call there are none.
  Result<Done> ChooseColumn(const std::string& column);

  // The next answer, or false at the end of the input. `answer` lives until the next call.
  Result<bool> Next(std::string_view& answer);

  // "answers.csv:3", for errors about the answer just read.
  std::string Place() const { return name_ + ":" + std::to_string(line_); }

 private:
  Result<bool> NextRecord();

  std::istream& input_;
  std::string name_;
  uint64_t line_ = 0;
  size_t column_ = 0;
  size_t columns_ = 1;
  std::string text_;
  std::vector<std::string> fields_;
};

// Splits one line of CSV. The error says what is wrong with it, without a place.
Result<Done> SplitCsv(std::string_view line, std::vector<std::string>& fields);

}  // namespace tacit::local
