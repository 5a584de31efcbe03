#include "answer/table_bytes.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "answer/stored_type.h"

namespace tacit::answer {
namespace {

using engine::ResultTable;
using engine::Value;

constexpr std::string_view kMagic = "tacit table 1\n";
// Why: more columns than a query can name, and no table of the ledger comes near it.
constexpr uint64_t kColumnsMax = 4096;

class Writer {
 public:
  explicit Writer(std::string& bytes) : bytes_(bytes) {}

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

  std::string& bytes_;
};

// Reads forward; after the first thing that is wrong everything reads as zero and good() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  void Magic() {
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
  StoredType stored;
  for (uint8_t* part : {&stored.kind, &stored.bits, &stored.precision, &stored.scale}) {
    *part = reader.Fixed<uint8_t>();
  }
  const std::optional<ValueType> type = TypeOf(stored);
  if (!type) reader.Refuse();
  return type.value_or(kOpaqueType);
}

// What stands before the rows.
struct Head {
  std::vector<engine::ResultColumn> columns;
  uint64_t rows = 0;
};

Head ReadHead(Reader& reader) {
  Head head;
  reader.Magic();
  const auto columns = reader.Fixed<uint64_t>();
  if (columns > kColumnsMax) reader.Refuse();
  for (uint64_t i = 0; reader.good() && i < columns; ++i) {
    std::string name = reader.Text();
    head.columns.push_back({std::move(name), ReadType(reader)});
  }
  head.rows = reader.Fixed<uint64_t>();
  // Every cell takes a byte at least, so a number of rows that cannot be there costs no memory.
  if (columns == 0 ? head.rows > 1 : head.rows > reader.left() / columns) reader.Refuse();
  return head;
}

void ReadRow(Reader& reader, size_t columns, std::vector<Value>& row) {
  row.clear();
  for (size_t c = 0; c < columns; ++c) row.push_back(reader.Cell());
}

Error Unreadable() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a stored answer cannot be read",
               .hint = "run: tacit ledger verify",
               .position = std::nullopt,
               .private_detail = "not the bytes of a table"};
}

// At least what the rows take, so that a large table is not copied while it grows.
size_t BytesOf(const engine::PackedRows& rows) {
  // Why 18: a number, as measures are.
  constexpr size_t kCellBytes = 18;
  size_t bytes = 0;
  for (const std::vector<Value>& row : rows) {
    for (const Value& cell : row) {
      const auto* text = std::get_if<std::string>(&cell);
      bytes += kCellBytes + (text == nullptr ? 0 : text->size());
    }
  }
  return bytes;
}

}  // namespace

TableWriter::TableWriter(const std::vector<engine::ResultColumn>& columns)
    : bytes_(kMagic), columns_(columns.size()) {
  Writer writer(bytes_);
  writer.Fixed<uint64_t>(columns.size());
  for (const engine::ResultColumn& column : columns) {
    writer.Text(column.name);
    const StoredType type = StoredTypeOf(column.type);
    for (const uint8_t part : {type.kind, type.bits, type.precision, type.scale}) {
      writer.Fixed(part);
    }
  }
  count_at_ = bytes_.size();
  writer.Fixed<uint64_t>(0);
}

void TableWriter::Add(const std::vector<Value>& row) {
  TACIT_ASSERT(row.size() == columns_);
  Writer writer(bytes_);
  for (const Value& cell : row) writer.Cell(cell);
  ++rows_;
}

std::string TableWriter::Take() {
  std::string count;
  Writer(count).Fixed(rows_);
  bytes_.replace(count_at_, count.size(), count);
  return std::move(bytes_);
}

std::string WriteTable(const ResultTable& table) {
  TableWriter writer(table.columns);
  writer.Reserve(BytesOf(table.rows));
  for (const std::vector<Value>& row : table.rows) writer.Add(row);
  return writer.Take();
}

Result<ResultTable> ReadTable(std::string_view bytes) {
  Reader reader(bytes);
  Head head = ReadHead(reader);
  ResultTable table{.columns = std::move(head.columns), .rows = {}};
  std::vector<Value> row;
  for (uint64_t r = 0; reader.good() && r < head.rows; ++r) {
    ReadRow(reader, table.columns.size(), row);
    table.rows.push_back(row);
  }
  if (reader.good() && reader.left() == 0) return table;
  return Unreadable();
}

Result<std::shared_ptr<const TableInBytes>> TableInBytes::Open(std::string bytes) {
  std::shared_ptr<TableInBytes> table(new TableInBytes);
  table->bytes_ = std::move(bytes);
  Reader reader(table->bytes_);
  Head head = ReadHead(reader);
  table->columns_ = std::move(head.columns);
  table->rows_ = static_cast<size_t>(head.rows);
  table->first_row_ = table->bytes_.size() - reader.left();
  std::vector<Value> row;
  for (uint64_t r = 0; reader.good() && r < head.rows; ++r) {
    ReadRow(reader, table->columns_.size(), row);
  }
  if (reader.good() && reader.left() == 0) return std::shared_ptr<const TableInBytes>(table);
  return Unreadable();
}

class TableInBytes::Rows final : public engine::RowSource::Cursor {
 public:
  explicit Rows(const TableInBytes& table)
      : columns_(table.columns_.size()),
        left_(table.rows_),
        reader_(std::string_view(table.bytes_).substr(table.first_row_)) {}

  bool Next(std::vector<Value>& row) override {
    if (left_ == 0) return false;
    --left_;
    ReadRow(reader_, columns_, row);
    return true;
  }

 private:
  size_t columns_;
  size_t left_;
  Reader reader_;
};

std::unique_ptr<engine::RowSource::Cursor> TableInBytes::Open() const {
  return std::make_unique<Rows>(*this);
}

}  // namespace tacit::answer
