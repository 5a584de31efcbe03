#include "local/reports/answer_file.h"

#include <algorithm>

namespace tacit::local {
namespace {

// Why 1 MiB: an answer is a word or a few; a longer line is not a file of answers.
constexpr size_t kAnswerLineBytesMax = size_t{1} << 20;

}  // namespace

Result<Done> SplitCsv(std::string_view line, std::vector<std::string>& fields) {
  size_t count = 0;
  const auto new_field = [&]() -> std::string& {
    if (count == fields.size()) fields.emplace_back();
    fields[count].clear();
    return fields[count++];
  };
  while (true) {
    std::string& field = new_field();
    if (line.starts_with('"')) {
      line.remove_prefix(1);
      while (true) {
        const size_t quote = line.find('"');
        if (quote == std::string_view::npos) return InvalidArgument("a quote is not closed");
        field += line.substr(0, quote);
        line.remove_prefix(quote + 1);
        if (!line.starts_with('"')) break;
        field += '"';  // a doubled quote stands for one
        line.remove_prefix(1);
      }
      if (!line.empty() && line[0] != ',') {
        return InvalidArgument("there is text after a closing quote");
      }
    } else {
      const size_t end = std::min(line.find(','), line.size());
      field = line.substr(0, end);
      if (field.find('"') != std::string::npos) {
        return InvalidArgument("a quote stands inside a field that does not start with one");
      }
      line.remove_prefix(end);
    }
    if (line.empty()) break;
    line.remove_prefix(1);  // the comma
  }
  fields.resize(count);
  return Done{};
}

Result<bool> AnswerReader::NextRecord() {
  if (!std::getline(input_, text_)) {
    if (input_.bad()) {
      Error error = InvalidArgument(Place() + ": the answers could not be read to their end");
      error.code = ErrorCode::kUnavailable;
      return error;
    }
    return false;
  }
  ++line_;
  if (text_.size() > kAnswerLineBytesMax)
    return InvalidArgument(Place() + ": the line is too long");
  if (text_.ends_with('\r')) text_.pop_back();
  const Result<Done> split = SplitCsv(text_, fields_);
  if (!split.ok()) return InvalidArgument(Place() + ": " + split.error().public_message);
  return true;
}

Result<Done> AnswerReader::ChooseColumn(const std::string& column) {
  TACIT_TRY(const bool some, NextRecord());
  const auto found = std::find(fields_.begin(), fields_.end(), column);
  if (!some || found == fields_.end()) {
    return InvalidArgument(name_ + " has no column \"" + column + "\" in its first line");
  }
  column_ = static_cast<size_t>(found - fields_.begin());
  columns_ = fields_.size();
  return Done{};
}

Result<bool> AnswerReader::Next(std::string_view& answer) {
  TACIT_TRY(const bool some, NextRecord());
  if (!some) return false;
  if (fields_.size() != columns_) {
    return InvalidArgument(Place() + ": " + std::to_string(fields_.size()) + " fields where " +
                               std::to_string(columns_) + " were expected",
                           columns_ == 1 ? "--column NAME takes one column of several" : "");
  }
  answer = fields_[column_];
  return true;
}

}  // namespace tacit::local
