#include "engine/duckdb/exact/exact_query.h"

#include <optional>
#include <utility>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/exact/capped_stream.h"
#include "engine/duckdb/functions/aggregates/count_people.h"
#include "engine/duckdb/values/logical_type.h"
#include "engine/duckdb/values/read_values.h"

namespace tacit::engine::duckdb {
namespace {

// Which columns of the statement are what.
struct Shape {
  size_t keys = 0;
  bool has_units = false;
  size_t measures = 0;

  size_t FirstMeasure() const { return keys + (has_units ? 1 : 0); }
  size_t Columns() const { return FirstMeasure() + measures; }
};

Shape ShapeOf(const plan::Release& release) {
  return {.keys = release.keys.size(),
          .has_units = std::holds_alternative<plan::UnitsChoice>(release.selection),
          .measures = release.measures.size()};
}

// The whole number of a cell. The types of a statement are checked before its first chunk.
Int128 WholeOf(const Value& value) {
  if (const auto* narrow = std::get_if<int64_t>(&value)) return *narrow;
  if (const auto* wide = std::get_if<Numeric>(&value)) return wide->unscaled;
  return 0;
}

using noise::Form;

// Reads the measure's column of a chunk: whole numbers, lists of counts, or lists of the cells that
// hold rows, each with its number of them behind it.
class MeasureReader {
 public:
  explicit MeasureReader(duckdb_vector vector, Form form)
      : vector_(vector), form_(form), whole_(vector) {}

  // Nothing where the cells are none.
  std::optional<ExactNumber> Read(idx_t row) const {
    if (form_ == Form::kNumber) return WholeOf(whole_.Read(row));
    const duckdb_list_entry entry = EntryAt(row);
    if (form_ == Form::kFullCells) return ReadCells(entry);
    const ColumnReader items(duckdb_list_vector_get_child(vector_));
    std::vector<uint64_t> counts;
    for (idx_t i = entry.offset; i < entry.offset + entry.length; ++i) {
      const Int128 count = WholeOf(items.Read(i));
      counts.push_back(count > 0 ? static_cast<uint64_t>(count) : 0);
    }
    return counts;
  }

 private:
  duckdb_list_entry EntryAt(idx_t row) const {
    uint64_t* validity = duckdb_vector_get_validity(vector_);
    if (validity != nullptr && !duckdb_validity_row_is_valid(validity, row)) return {0, 0};
    return static_cast<duckdb_list_entry*>(duckdb_vector_get_data(vector_))[row];
  }

  // There may be millions of them: their type is checked, and nothing is put into values.
  std::optional<ExactNumber> ReadCells(const duckdb_list_entry& entry) const {
    duckdb_vector child = duckdb_list_vector_get_child(vector_);
    const LogicalType type(duckdb_vector_get_column_type(child));
    if (duckdb_get_type_id(type.get()) != DUCKDB_TYPE_UBIGINT) return std::nullopt;
    const auto* words = static_cast<const uint64_t*>(duckdb_vector_get_data(child));
    std::vector<noise::FullCells::Cell> cells(entry.length / 2);
    for (size_t i = 0; i < cells.size(); ++i) {
      cells[i] = {words[entry.offset + 2 * i], words[entry.offset + 2 * i + 1]};
    }
    std::optional<noise::FullCells> full = noise::FullCells::Of(std::move(cells));
    if (!full) return std::nullopt;
    return ExactNumber(std::move(*full));
  }

  duckdb_vector vector_;
  Form form_;
  ColumnReader whole_;
};

std::vector<Form> FormsOf(const plan::Release& release) {
  std::vector<Form> forms;
  for (const plan::Measure& measure : release.measures) {
    forms.push_back(measure.mechanism->Reads());
  }
  return forms;
}

// Empty when the columns are what the plan promised.
std::string WrongShape(const std::vector<ResultColumn>& columns, const plan::Release& release) {
  const Shape shape = ShapeOf(release);
  if (columns.size() != shape.Columns()) return "the statement has another number of columns";
  const std::vector<Form> forms = FormsOf(release);
  for (size_t i = shape.keys; i < columns.size(); ++i) {
    const Form form = i < shape.FirstMeasure() ? Form::kNumber : forms[i - shape.FirstMeasure()];
    if (form == Form::kNumber && !columns[i].type.IsWhole())
      return columns[i].name + " is not whole";
  }
  return "";
}

// A quantile and the ends of its interval are chosen from the same cells, which are held once.
ExactNumber Shared(const ExactGroups& groups, size_t group, const std::vector<Form>& forms,
                   size_t measure, ExactNumber number) {
  for (size_t i = 0; i < measure && forms[measure] == Form::kFullCells; ++i) {
    if (forms[i] != Form::kFullCells) continue;
    ExactNumber earlier = groups.Measure(group, i);
    if (earlier == number) return earlier;
  }
  return number;
}

std::optional<Failure> ReadGroups(AskerConnection& asker, const plan::Release& release,
                                  const std::string& sql, const std::vector<Value>& parameters,
                                  ExactGroups* groups) {
  const Shape shape = ShapeOf(release);
  const std::vector<Form> forms = FormsOf(release);
  std::vector<ResultColumn> columns;
  std::string wrong;
  const auto read = [&](duckdb_data_chunk all) {
    wrong = WrongShape(columns, release);
    if (!wrong.empty()) return false;
    const idx_t size = duckdb_data_chunk_get_size(all);
    const size_t first = groups->size();
    groups->Resize(first + size);
    for (idx_t c = 0; c < columns.size(); ++c) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(all, c);
      const ColumnReader plain(vector);
      const bool is_measure = c >= shape.FirstMeasure();
      const MeasureReader measure(vector,
                                  is_measure ? forms[c - shape.FirstMeasure()] : Form::kNumber);
      for (idx_t r = 0; r < size; ++r) {
        if (c < shape.keys) {
          groups->SetKey(first + r, c, plain.Read(r));
        } else if (!is_measure) {
          groups->Units(first + r) = static_cast<uint64_t>(WholeOf(plain.Read(r)));
        } else {
          std::optional<ExactNumber> number = measure.Read(r);
          if (!number) wrong = "cells are not in rising order";
          if (!number) return false;
          const size_t m = c - shape.FirstMeasure();
          groups->SetMeasure(first + r, m,
                             Shared(*groups, first + r, forms, m, std::move(*number)));
        }
      }
    }
    return true;
  };
  std::optional<Failure> failure = asker.Run(sql, parameters, &columns, read);
  if (!wrong.empty()) return Failure{DUCKDB_ERROR_INTERNAL, wrong};
  return failure;
}

}  // namespace

Result<std::vector<ResultColumn>> PrepareExact(AskerConnection& asker, const plan::Release& release,
                                               const std::string& sql) {
  std::vector<ResultColumn> columns;
  const std::optional<Failure> failure = asker.Describe(sql, &columns);
  std::string text = failure ? failure->text : WrongShape(columns, release);
  if (!text.empty()) return PlanNotTaken(text);
  const Shape shape = ShapeOf(release);
  std::vector<ResultColumn> released;
  for (size_t i = 0; i < shape.keys; ++i)
    released.push_back({release.keys[i].name, columns[i].type});
  for (const plan::Measure& measure : release.measures) {
    released.push_back({measure.name, NumericType(38, 0)});
  }
  return released;
}

Result<ExactRelease> RunExact(AskerConnection& asker, const plan::Release& release,
                              const Statements& statements, const std::vector<Value>& parameters) {
  ExactGroups groups(release.keys.size(), FormsOf(release));
  bool streamed = false;
  if (statements.stream) {
    const auto failure = ReadCapped(asker.connection(), *statements.stream,
                                    ShapeOf(release).has_units, &groups, &streamed);
    if (failure) return ExactQueryFailed(failure->text);
  }
  if (!streamed) {
    std::optional<Failure> failure =
        ReadGroups(asker, release, statements.sql, parameters, &groups);
    // Failing would say how many people lost a row to the filter.
    if (failure && !statements.sets_sql.empty() &&
        failure->text.find(kTooManyKept) != std::string::npos) {
      groups.Resize(0);
      failure = ReadGroups(asker, release, statements.sets_sql, parameters, &groups);
    }
    if (failure) return ExactQueryFailed(failure->text);
  }
  const std::string wrong = Arrange(release, groups);
  if (!wrong.empty()) return ExactQueryFailed(wrong);
  return ExactRelease(std::move(groups));
}

}  // namespace tacit::engine::duckdb
