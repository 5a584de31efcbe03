#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "release/domain/domain.h"

// How releases are kept in the ledger: numbers whole, in little-endian order, texts after their
// lengths.

namespace tacit::release {

void AddWord(uint64_t word, std::string& bytes);
void AddNumber(double number, std::string& bytes);

// Reads on from what was read before. What is not there is zero, and is remembered.
class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  bool Skip(const std::string& text);
  uint64_t Word();
  double Number();
  std::string Text(size_t size);                                  // at most left()
  uint8_t Byte() { return static_cast<uint8_t>(bytes_[at_++]); }  // of those that are left

  size_t left() const { return bytes_.size() - at_; }
  bool failed() const { return failed_; }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

// The values that were shown of each open column.
using ShownValues = std::vector<std::vector<std::string>>;
void AddShown(const ShownValues& shown, std::string& bytes);
// False for what is not of these attributes. Open ones get their values.
bool ReadShown(Reader& reader, ShownValues& shown, std::vector<Attribute>& attributes);

// kInternal: bytes of another shape.
Error NotTheseBytes(const std::string& what);

}  // namespace tacit::release
