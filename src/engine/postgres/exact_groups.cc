#include "engine/postgres/exact_groups.h"

#include "engine/postgres/values.h"
#include "engine/server/listed_numbers.h"
#include "engine/server/public_table.h"

namespace tacit::engine::postgres {
namespace {

using noise::Form;

constexpr unsigned kNumericNumber = 1700;
constexpr unsigned kTextNumber = 25;

std::optional<ExactNumber> ReadMeasure(std::string_view bytes, Form form) {
  if (form != Form::kNumber) return server::ReadListed(bytes, form);
  const std::optional<Int128> whole = ReadWhole(bytes);
  if (!whole) return std::nullopt;
  return ExactNumber(*whole);
}

}  // namespace

std::string WrongShape(const Reply& columns, const plan::Release& release) {
  const size_t first = release.keys.size() + (server::HasUnits(release) ? 1 : 0);
  if (columns.columns() != first + release.measures.size()) {
    return "the statement has another number of columns";
  }
  for (size_t i = 0; i < release.keys.size(); ++i) {
    if (!IsNumberOf(columns.TypeOf(i), release.keys[i].type)) {
      return release.keys[i].name + " is not " + PostgresName(release.keys[i].type);
    }
  }
  const std::vector<Form> forms = server::FormsOf(release);
  for (size_t i = release.keys.size(); i < columns.columns(); ++i) {
    const Form form = i < first ? Form::kNumber : forms[i - first];
    const unsigned wanted = form == Form::kNumber ? kNumericNumber : kTextNumber;
    if (columns.TypeOf(i) != wanted) return columns.NameOf(i) + " is of another type";
  }
  return "";
}

std::string ReadGroups(const Reply& reply, const plan::Release& release, ExactGroups& groups) {
  if (const std::string wrong = WrongShape(reply, release); !wrong.empty()) return wrong;
  const std::vector<Form> forms = server::FormsOf(release);
  const size_t keys = release.keys.size();
  const size_t first = keys + (server::HasUnits(release) ? 1 : 0);
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
  std::vector<server::GivenColumn> given;
  for (size_t i = 0; i < reply.columns(); ++i) {
    given.push_back({reply.NameOf(i), TypeOfNumber(reply.TypeOf(i)).value_or(kTextType)});
  }
  ResultTable result;
  result.columns = server::PublicColumnsOf(table, catalog, given);
  std::vector<std::vector<Value>> rows;
  for (size_t row = 0; row < reply.rows(); ++row) {
    std::vector<Value>& cells = rows.emplace_back();
    for (size_t i = 0; i < reply.columns(); ++i) {
      if (reply.IsNull(row, i)) {
        cells.emplace_back();
        continue;
      }
      std::optional<Value> value = ReadValue(reply.Bytes(row, i), result.columns[i].type);
      if (!value) return server::PublicUnreadable("a cell has another form");
      cells.push_back(std::move(*value));
    }
  }
  server::SetPublicRows(table, std::move(rows), result);
  return result;
}

}  // namespace tacit::engine::postgres
