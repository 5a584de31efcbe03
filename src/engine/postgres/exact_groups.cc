#include "engine/postgres/exact_groups.h"

#include <algorithm>
#include <charconv>

#include "engine/postgres/values.h"

namespace tacit::engine::postgres {
namespace {

using noise::Form;

constexpr unsigned kNumericNumber = 1700;
constexpr unsigned kTextNumber = 25;

bool HasUnits(const plan::Release& release) {
  return std::holds_alternative<plan::UnitsChoice>(release.selection);
}

// "3,0,12"
std::optional<std::vector<uint64_t>> ReadCounts(std::string_view text) {
  std::vector<uint64_t> counts;
  if (text.empty()) return counts;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (;;) {
    uint64_t count = 0;
    const auto [next, problem] = std::from_chars(at, end, count);
    if (problem != std::errc()) return std::nullopt;
    counts.push_back(count);
    if (next == end) return counts;
    if (*next != ',') return std::nullopt;
    at = next + 1;
  }
}

// Cells, each with its rows behind it.
std::optional<ExactNumber> ReadCells(std::string_view bytes) {
  const std::optional<std::vector<uint64_t>> words = ReadCounts(bytes);
  if (!words || words->size() % 2 != 0) return std::nullopt;
  std::vector<noise::FullCells::Cell> cells(words->size() / 2);
  for (size_t i = 0; i < cells.size(); ++i) cells[i] = {(*words)[2 * i], (*words)[2 * i + 1]};
  std::optional<noise::FullCells> full = noise::FullCells::Of(std::move(cells));
  if (!full) return std::nullopt;
  return ExactNumber(std::move(*full));
}

std::optional<ExactNumber> ReadMeasure(std::string_view bytes, Form form) {
  if (form == Form::kCounts) {
    auto counts = ReadCounts(bytes);
    if (!counts) return std::nullopt;
    return ExactNumber(std::move(*counts));
  }
  if (form == Form::kFullCells) return ReadCells(bytes);
  const std::optional<Int128> whole = ReadWhole(bytes);
  if (!whole) return std::nullopt;
  return ExactNumber(*whole);
}

// A column of a public table as it is stored; of computed keys the server's word.
ValueType PublicType(const plan::PublicTable& table, const Catalog& catalog, size_t column,
                     const Reply& reply) {
  if (const auto* read = std::get_if<plan::tree::PublicColumns>(&table.rows)) {
    const CatalogTable* stored = catalog.Find(read->table);
    const CatalogColumn* one =
        stored != nullptr ? stored->Find(read->columns[column].first) : nullptr;
    if (one != nullptr && one->seen.type.kind != TypeKind::kOpaque) return one->seen.type;
  }
  if (const auto* keys = std::get_if<plan::tree::AllKeys>(&table.rows)) {
    return keys->keys->keys[column].type;
  }
  return TypeOfNumber(reply.TypeOf(column)).value_or(kTextType);
}

std::string PublicName(const plan::PublicTable& table, size_t column, const Reply& reply) {
  const auto* read = std::get_if<plan::tree::PublicColumns>(&table.rows);
  return read != nullptr ? read->columns[column].second : reply.NameOf(column);
}

Error Unreadable(const std::string& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a public table cannot be read from the database",
               .hint = "the owner finds more with `tacit check`",
               .position = std::nullopt,
               .private_detail = why};
}

}  // namespace

std::vector<Form> FormsOf(const plan::Release& release) {
  std::vector<Form> forms;
  for (const plan::Measure& measure : release.measures) forms.push_back(measure.mechanism->Reads());
  return forms;
}

std::string WrongShape(const Reply& columns, const plan::Release& release) {
  const size_t first = release.keys.size() + (HasUnits(release) ? 1 : 0);
  if (columns.columns() != first + release.measures.size()) {
    return "the statement has another number of columns";
  }
  for (size_t i = 0; i < release.keys.size(); ++i) {
    if (!IsNumberOf(columns.TypeOf(i), release.keys[i].type)) {
      return release.keys[i].name + " is not " + PostgresName(release.keys[i].type);
    }
  }
  const std::vector<Form> forms = FormsOf(release);
  for (size_t i = release.keys.size(); i < columns.columns(); ++i) {
    const Form form = i < first ? Form::kNumber : forms[i - first];
    const unsigned wanted = form == Form::kNumber ? kNumericNumber : kTextNumber;
    if (columns.TypeOf(i) != wanted) return columns.NameOf(i) + " is of another type";
  }
  return "";
}

std::string ReadGroups(const Reply& reply, const plan::Release& release, ExactGroups& groups) {
  if (const std::string wrong = WrongShape(reply, release); !wrong.empty()) return wrong;
  const std::vector<Form> forms = FormsOf(release);
  const size_t keys = release.keys.size();
  const size_t first = keys + (HasUnits(release) ? 1 : 0);
  groups.Resize(reply.rows());
  for (size_t row = 0; row < reply.rows(); ++row) {
    for (size_t i = 0; i < keys; ++i) {
      if (reply.IsNull(row, i)) {
        groups.SetKey(row, i, Value());
        continue;
      }
      std::optional<Value> value = ReadValue(reply.Bytes(row, i), release.keys[i].type);
      if (!value) return "a key has another form";
      groups.SetKey(row, i, std::move(*value));
    }
    for (size_t i = keys; i < reply.columns(); ++i) {
      if (reply.IsNull(row, i)) return "a number is NULL";
      const Form form = i < first ? Form::kNumber : forms[i - first];
      std::optional<ExactNumber> number = ReadMeasure(reply.Bytes(row, i), form);
      if (!number) return "a number has another form";
      if (i < first) {
        const Int128 units = std::get<Int128>(*number);
        if (units < 0) return "a number of people is negative";
        groups.Units(row) = static_cast<uint64_t>(units);
      } else {
        groups.SetMeasure(row, i - first, std::move(*number));
      }
    }
  }
  return "";
}

Result<ResultTable> ReadPublic(const Reply& reply, const plan::PublicTable& table,
                               const Catalog& catalog) {
  ResultTable result;
  for (size_t i = 0; i < reply.columns(); ++i) {
    result.columns.push_back({PublicName(table, i, reply), PublicType(table, catalog, i, reply)});
  }
  std::vector<std::vector<Value>> rows;
  for (size_t row = 0; row < reply.rows(); ++row) {
    std::vector<Value>& cells = rows.emplace_back();
    for (size_t i = 0; i < reply.columns(); ++i) {
      if (reply.IsNull(row, i)) {
        cells.emplace_back();
        continue;
      }
      std::optional<Value> value = ReadValue(reply.Bytes(row, i), result.columns[i].type);
      if (!value) return Unreadable("a cell has another form");
      cells.push_back(std::move(*value));
    }
  }
  // In DuckDB's order of keys; a public table comes as it is stored.
  if (std::holds_alternative<plan::tree::AllKeys>(table.rows)) std::sort(rows.begin(), rows.end());
  for (const std::vector<Value>& row : rows) result.rows.push_back(row);
  return result;
}

std::string KeyBytesText(std::string_view key) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "\\x01";
  const auto add = [&text](unsigned byte) {
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  };
  for (int shift = 24; shift >= 0; shift -= 8) add((key.size() >> shift) & 0xff);
  for (const char c : key) add(static_cast<unsigned char>(c));
  return text;
}

}  // namespace tacit::engine::postgres
