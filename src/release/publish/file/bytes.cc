#include "release/publish/file/bytes.h"

#include <cstring>

namespace tacit::release {

void AddWord(uint64_t word, std::string& bytes) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> (8 * i) & 0xff));
}

void AddNumber(double number, std::string& bytes) {
  uint64_t word = 0;
  std::memcpy(&word, &number, sizeof word);
  AddWord(word, bytes);
}

bool Reader::Skip(const std::string& text) {
  if (bytes_.compare(at_, text.size(), text) != 0) return false;
  at_ += text.size();
  return true;
}

uint64_t Reader::Word() {
  uint64_t word = 0;
  if (left() < 8) {
    at_ = bytes_.size();
    failed_ = true;
    return 0;
  }
  for (int i = 0; i < 8; ++i) word |= uint64_t{Byte()} << (8 * i);
  return word;
}

double Reader::Number() {
  const uint64_t word = Word();
  double number = 0;
  std::memcpy(&number, &word, sizeof number);
  return number;
}

std::string Reader::Text(size_t size) {
  at_ += size;
  return bytes_.substr(at_ - size, size);
}

void AddShown(const ShownValues& shown, std::string& bytes) {
  AddWord(shown.size(), bytes);
  for (const std::vector<std::string>& values : shown) {
    AddWord(values.size(), bytes);
    for (const std::string& value : values) {
      AddWord(value.size(), bytes);
      bytes += value;
    }
  }
}

bool ReadShown(Reader& reader, ShownValues& shown, std::vector<Attribute>& attributes) {
  uint64_t columns = reader.Word();
  for (Attribute& attribute : attributes) {
    if (!attribute.IsOpen()) continue;
    if (columns-- == 0) return false;
    std::vector<std::string>& values = shown.emplace_back();
    for (uint64_t left = reader.Word(); left > 0; --left) {
      const uint64_t size = reader.Word();
      if (reader.failed() || size > reader.left()) return false;
      values.push_back(reader.Text(size));
    }
    attribute = WithValues(attribute, values);
  }
  return columns == 0;
}

Error NotTheseBytes(const std::string& what) {
  return Error{.code = ErrorCode::kInternal,
               .public_message = "the stored release cannot be read",
               .hint = "",
               .position = std::nullopt,
               .private_detail = what};
}

}  // namespace tacit::release
