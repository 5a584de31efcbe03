#include "engine/trino/exact_groups.h"

#include "engine/server/listed_numbers.h"
#include "engine/server/public_table.h"
#include "engine/trino/values.h"

namespace tacit::engine::trino {
namespace {

using noise::Form;

std::string WrongShape(const Reply& reply, const plan::Release& release) {
  const size_t keys = release.keys.size();
  const size_t first = keys + (server::HasUnits(release) ? 1 : 0);
  if (reply.columns.size() != first + release.measures.size()) {
    return "the statement has another number of columns";
  }
  for (size_t i = 0; i < keys; ++i) {
    if (!IsNameOf(reply.columns[i].type, release.keys[i].type)) {
      return release.keys[i].name + " is not " + PostgresName(release.keys[i].type);
    }
  }
  const std::vector<Form> forms = server::FormsOf(release);
  for (size_t i = keys; i < reply.columns.size(); ++i) {
    const bool is_number = i < first || forms[i - first] == Form::kNumber;
    if (!IsNameOf(reply.columns[i].type, is_number ? NumericType(38, 0) : kTextType)) {
      return reply.columns[i].name + " is of another type";
    }
  }
  return "";
}

std::optional<ExactNumber> ReadMeasure(const Cell& cell, Form form) {
  if (form == Form::kNumber) {
    const auto whole = ReadWhole(cell);
    if (!whole) return std::nullopt;
    return ExactNumber(*whole);
  }
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? server::ReadListed(*text, form) : std::nullopt;
}

}  // namespace

std::string ReadGroups(const Reply& reply, const plan::Release& release, ExactGroups& groups) {
  if (const std::string wrong = WrongShape(reply, release); !wrong.empty()) return wrong;
  const std::vector<Form> forms = server::FormsOf(release);
  const size_t keys = release.keys.size();
  const size_t first = keys + (server::HasUnits(release) ? 1 : 0);
  groups.Resize(reply.rows.size());
  for (size_t row = 0; row < reply.rows.size(); ++row) {
    const std::vector<Cell>& cells = reply.rows[row];
    for (size_t i = 0; i < keys; ++i) {
      std::optional<Value> value = ReadValue(cells[i], release.keys[i].type);
      if (!value) return "a key has another form";
      groups.SetKey(row, i, std::move(*value));
    }
    for (size_t i = keys; i < first; ++i) {
      const auto units = ReadWhole(cells[i]);
      if (!units || *units < 0) return "a number of people has another form";
      groups.Units(row) = static_cast<uint64_t>(*units);
    }
    for (size_t i = first; i < cells.size(); ++i) {
      std::optional<ExactNumber> number = ReadMeasure(cells[i], forms[i - first]);
      if (!number) return "a number has another form";
      groups.SetMeasure(row, i - first, std::move(*number));
    }
  }
  return "";
}

Result<ResultTable> ReadPublic(const Reply& reply, const plan::PublicTable& table,
                               const server::Catalog& catalog) {
  std::vector<server::GivenColumn> given;
  for (const PageColumn& column : reply.columns) {
    given.push_back({column.name, TypeOfName(column.type).value_or(kTextType)});
  }
  ResultTable result;
  result.columns = server::PublicColumnsOf(table, catalog, given);
  std::vector<std::vector<Value>> rows;
  for (const std::vector<Cell>& cells : reply.rows) {
    std::vector<Value>& values = rows.emplace_back();
    for (size_t i = 0; i < cells.size(); ++i) {
      std::optional<Value> value = ReadValue(cells[i], result.columns[i].type);
      if (!value) return server::PublicUnreadable("a cell has another form");
      values.push_back(std::move(*value));
    }
  }
  server::SetPublicRows(table, std::move(rows), result);
  return result;
}

}  // namespace tacit::engine::trino
