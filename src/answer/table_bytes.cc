#include "answer/table_bytes.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tacit::answer {
namespace {

using engine::ResultTable;
using engine::Value;

constexpr std::string_view kMagic = "tacit table 1\n";
// Why: more columns than a query can name, and no table of the ledger comes near it.
constexpr uint64_t kColumnsMax = 4096;

class Writer {
 public:
  template <class T>
  void Fixed(T number) {
    for (size_t i = 0; i < sizeof(T); ++i) {
      bytes_ += static_cast<char>(static_cast<uint8_t>(number >> (8 * i)));
    }
  }
  void Text(std::string_view text) {
    Fixed<uint64_t>(text.size());
    bytes_ += text;
  }
  void Cell(const Value& value) {
    Fixed<uint8_t>(static_cast<uint8_t>(value.index()));
    std::visit([this](const auto& held) { Held(held); }, value);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  void Held(std::monostate) {}
  void Held(bool v) { Fixed<uint8_t>(v ? 1 : 0); }
  void Held(int64_t v) { Fixed(static_cast<uint64_t>(v)); }
  void Held(const engine::Numeric& v) {
    Fixed(static_cast<UInt128>(v.unscaled));
    Fixed(static_cast<uint8_t>(v.scale));
  }
  void Held(double v) { Fixed(std::bit_cast<uint64_t>(v)); }
  void Held(const std::string& v) { Text(v); }
  void Held(const engine::Date& v) { Fixed(static_cast<uint32_t>(v.days)); }
  void Held(const engine::Time& v) { Fixed(static_cast<uint64_t>(v.micros)); }
  void Held(const engine::Timestamp& v) {
    Fixed(static_cast<uint64_t>(v.micros));
    Fixed<uint8_t>(v.with_zone ? 1 : 0);
  }
  void Held(const engine::Interval& v) {
    Fixed(static_cast<uint32_t>(v.months));
    Fixed(static_cast<uint32_t>(v.days));
    Fixed(static_cast<uint64_t>(v.micros));
  }

  std::string bytes_{kMagic};
};

// Reads forward; after the first thing that is wrong everything reads as zero and good() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {
    good_ = bytes_.starts_with(kMagic);
    if (good_) bytes_.remove_prefix(kMagic.size());
  }

  bool good() const { return good_; }
  size_t left() const { return bytes_.size(); }
  void Refuse() { good_ = false; }

  template <class T>
  T Fixed() {
    T number = 0;
    if (!good_ || bytes_.size() < sizeof(T)) {
      good_ = false;
      return 0;
    }
    for (size_t i = 0; i < sizeof(T); ++i) {
      number = static_cast<T>(
          number | static_cast<T>(static_cast<T>(static_cast<uint8_t>(bytes_[i])) << (8 * i)));
    }
    bytes_.remove_prefix(sizeof(T));
    return number;
  }
  bool Flag() {
    const auto flag = Fixed<uint8_t>();
    if (flag > 1) Refuse();
    return flag == 1;
  }
  std::string Text() {
    const auto size = Fixed<uint64_t>();
    if (!good_ || size > bytes_.size()) {
      good_ = false;
      return "";
    }
    std::string text(bytes_.substr(0, static_cast<size_t>(size)));
    bytes_.remove_prefix(static_cast<size_t>(size));
    return text;
  }
  Value Cell() {
    switch (Fixed<uint8_t>()) {
      case 0:
        return Value();
      case 1:
        return Value(Flag());
      case 2:
        return Value(static_cast<int64_t>(Fixed<uint64_t>()));
      case 3: {
        const auto unscaled = static_cast<Int128>(Fixed<UInt128>());
        return Value(engine::Numeric{unscaled, Fixed<uint8_t>()});
      }
      case 4:
        return Value(std::bit_cast<double>(Fixed<uint64_t>()));
      case 5:
        return Value(Text());
      case 6:
        return Value(engine::Date{static_cast<int32_t>(Fixed<uint32_t>())});
      case 7:
        return Value(engine::Time{static_cast<int64_t>(Fixed<uint64_t>())});
      case 8: {
        const auto micros = static_cast<int64_t>(Fixed<uint64_t>());
        return Value(engine::Timestamp{micros, Flag()});
      }
      case 9: {
        const auto months = static_cast<int32_t>(Fixed<uint32_t>());
        const auto days = static_cast<int32_t>(Fixed<uint32_t>());
        return Value(engine::Interval{months, days, static_cast<int64_t>(Fixed<uint64_t>())});
      }
      default:
        Refuse();
        return Value();
    }
  }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

ValueType ReadType(Reader& reader) {
  const auto kind = reader.Fixed<uint8_t>();
  if (kind > static_cast<uint8_t>(ValueKind::kOther)) reader.Refuse();
  ValueType type{.kind = static_cast<ValueKind>(kind)};
  type.bits = reader.Fixed<uint8_t>();
  type.precision = reader.Fixed<uint8_t>();
  type.scale = reader.Fixed<uint8_t>();
  return type;
}

}  // namespace

std::string WriteTable(const ResultTable& table) {
  Writer writer;
  writer.Fixed<uint64_t>(table.columns.size());
  for (const engine::ResultColumn& column : table.columns) {
    writer.Text(column.name);
    writer.Fixed(static_cast<uint8_t>(column.type.kind));
    writer.Fixed(static_cast<uint8_t>(column.type.bits));
    writer.Fixed(static_cast<uint8_t>(column.type.precision));
    writer.Fixed(static_cast<uint8_t>(column.type.scale));
  }
  writer.Fixed<uint64_t>(table.rows.size());
  for (const std::vector<Value>& row : table.rows) {
    TACIT_ASSERT(row.size() == table.columns.size());
    for (const Value& cell : row) writer.Cell(cell);
  }
  return writer.Take();
}

Result<ResultTable> ReadTable(std::string_view bytes) {
  Reader reader(bytes);
  ResultTable table;
  const auto columns = reader.Fixed<uint64_t>();
  if (columns > kColumnsMax) reader.Refuse();
  for (uint64_t i = 0; reader.good() && i < columns; ++i) {
    std::string name = reader.Text();
    table.columns.push_back({std::move(name), ReadType(reader)});
  }
  const auto rows = reader.Fixed<uint64_t>();
  // Every cell takes a byte at least, so a number of rows that cannot be there costs no memory.
  if (columns == 0 ? rows > 1 : rows > reader.left() / columns) reader.Refuse();
  for (uint64_t r = 0; reader.good() && r < rows; ++r) {
    std::vector<Value> row;
    for (uint64_t c = 0; c < columns; ++c) row.push_back(reader.Cell());
    table.rows.push_back(std::move(row));
  }
  if (reader.good() && reader.left() == 0) return table;
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a stored answer cannot be read",
               .hint = "run: tacit ledger verify",
               .position = std::nullopt,
               .private_detail = "not the bytes of a table"};
}

}  // namespace tacit::answer
