#include "catalog/tables/store.h"

#include <algorithm>

#include "catalog/functions.h"
#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/values/read_values.h"

namespace tacit::catalog {
namespace {

using engine::Value;
using engine::duckdb::ColumnReader;
using engine::duckdb::Connection;
using engine::duckdb::EngineUnavailable;
using engine::duckdb::Failure;
using engine::duckdb::QuoteName;

struct AppenderCloser {
  void operator()(_duckdb_appender* appender) const { duckdb_appender_destroy(&appender); }
};

struct Printer {
  const Objects& objects;
  bool public_is_searched;

  // Of a value that is there.
  Value Scalar(Value value, Oid type) const {
    if (IsRegistry(type)) {
      const auto* number = std::get_if<int64_t>(&value);
      if (number == nullptr) return engine::ToText(value);
      return RegistryText(objects, type, static_cast<Oid>(*number), public_is_searched);
    }
    // Held without its time zone, which is UTC.
    if (auto* instant = std::get_if<engine::Timestamp>(&value)) {
      instant->with_zone = type == oid::kTimestampTz;
    }
    // What has no rule is read as NULL, and shown as an empty text; of a number, NULL is what an
    // infinity is everywhere here.
    const bool is_number = type == oid::kFloat4 || type == oid::kFloat8 || type == oid::kNumeric;
    return engine::IsNull(value) && !is_number ? Value(std::string()) : std::move(value);
  }

  // PostgreSQL quotes an element of an array when it could be mistaken for something else.
  static std::string Element(const std::string& text) {
    const bool plain = !text.empty() && text != "NULL" && text != "null" &&
                       text.find_first_of("{}\",\\ \t\n") == std::string::npos;
    if (plain) return text;
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + "\"";
  }

  std::string List(duckdb_vector vector, idx_t row, Oid type) const {
    const auto entry = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(vector))[row];
    const ColumnReader elements(duckdb_list_vector_get_child(vector));
    std::string text;
    for (uint64_t i = 0; i < entry.length; ++i) {
      if (i > 0) text += IsVector(type) ? ' ' : ',';
      Value value = elements.Read(entry.offset + i);
      if (engine::IsNull(value)) {
        text += "NULL";
      } else {
        const std::string element = engine::ToText(Scalar(std::move(value), ElementOf(type)));
        text += IsVector(type) ? element : Element(element);
      }
    }
    return IsVector(type) ? text : "{" + text + "}";
  }
};

bool IsList(duckdb_vector vector) {
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  const bool list = duckdb_get_type_id(type) == DUCKDB_TYPE_LIST;
  duckdb_destroy_logical_type(&type);
  return list;
}

Error StatementFailed(const Failure& failure) {
  const bool limit = failure.type == DUCKDB_ERROR_INTERRUPT ||
                     failure.type == DUCKDB_ERROR_OUT_OF_MEMORY ||
                     failure.text.find(kLimitText) != std::string::npos;
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = limit ? "this catalog query needs too much time or memory"
                                       : "the catalog cannot answer this query",
               .hint = limit ? "ask for less" : "docs/catalog.md says what it can answer",
               .position = std::nullopt,
               .private_detail = failure.text};
}

}  // namespace

bool Store::Holds(const std::string& relation) const {
  return std::find(held_.begin(), held_.end(), relation) != held_.end();
}

Result<Done> Store::Create(Connection& connection, const std::string& name) {
  const size_t dot = name.find('.');
  const Relation* relation = objects_->Find(name.substr(0, dot), name.substr(dot + 1));
  TACIT_ASSERT(relation != nullptr);
  std::string sql = "CREATE TABLE " + QuoteName(name) + " (";
  for (size_t i = 0; i < relation->columns.size(); ++i) {
    const RelationColumn& column = relation->columns[i];
    sql += (i == 0 ? "" : ", ") + QuoteName(column.name) + " " + StoredAs(column.base_type);
  }
  if (const std::optional<Failure> failure = connection.Execute(sql + ")")) {
    return EngineUnavailable(failure->text);
  }
  held_.push_back(name);
  return Done{};
}

Result<Done> Store::Fill(Connection& connection, const std::string& name,
                         const std::vector<Row>& rows) {
  TACIT_CHECK(Create(connection, name));
  duckdb_appender raw = nullptr;
  const duckdb_state created =
      duckdb_appender_create(connection.handle(), nullptr, name.c_str(), &raw);
  const std::unique_ptr<_duckdb_appender, AppenderCloser> appender(raw);
  bool good = created == DuckDBSuccess;
  for (const Row& row : rows) {
    for (const Cell& cell : row) {
      good = good && (cell ? duckdb_append_varchar_length(raw, cell->data(), cell->size())
                           : duckdb_append_null(raw)) == DuckDBSuccess;
    }
    good = good && duckdb_appender_end_row(raw) == DuckDBSuccess;
    if (!good) break;
  }
  if (good && duckdb_appender_close(raw) == DuckDBSuccess) return Done{};
  const char* text = duckdb_appender_error(raw);
  return EngineUnavailable(name + ": " + (text != nullptr ? text : "the appender failed"));
}

Result<Store> Store::Make(std::shared_ptr<const Objects> objects, const StoredRows& rows) {
  TACIT_TRY(engine::duckdb::Database database,
            engine::duckdb::Database::OpenInMemory(kStoreLimits));
  Store store(std::move(objects), std::move(database));
  TACIT_TRY(Connection connection, store.database_.Connect());
  TACIT_CHECK(RegisterFunctions(connection, *store.objects_));
  for (const auto& [name, list] : rows) TACIT_CHECK(store.Fill(connection, name, list));
  for (const ComputedTable& table : ComputedTables()) {
    TACIT_CHECK(store.Create(connection, table.relation));
    const std::string insert = "INSERT INTO " + QuoteName(table.relation) + " BY NAME ";
    if (const std::optional<Failure> failure = connection.Execute(insert + table.sql)) {
      return EngineUnavailable(failure->text);
    }
  }
  return store;
}

Result<std::vector<std::vector<Value>>> Store::Run(const Statement& statement) const {
  TACIT_TRY(Connection connection, database_.Connect());
  const Printer printer{*objects_, statement.public_is_searched};
  std::vector<std::vector<Value>> rows;
  size_t bytes = 0;
  const auto read = [&](duckdb_data_chunk chunk) {
    const idx_t size = duckdb_data_chunk_get_size(chunk);
    const size_t first = rows.size();
    if (first + size > kAnswerRowsMax) return false;
    // An empty cell takes as much as one with a short text.
    bytes += size * (sizeof(rows[0]) + statement.types.size() * sizeof(Value));
    if (bytes > kAnswerBytesMax) return false;
    rows.resize(first + size, std::vector<Value>(statement.types.size()));
    for (idx_t c = 0; c < statement.types.size(); ++c) {
      const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, c);
      uint64_t* validity = duckdb_vector_get_validity(vector);
      const ColumnReader reader(vector);
      const Oid type = statement.types[c];
      const bool list = IsArray(type) && IsList(vector);
      for (idx_t r = 0; r < size; ++r) {
        if (validity != nullptr && !duckdb_validity_row_is_valid(validity, r)) continue;
        Value& cell = rows[first + r][c];
        cell = list ? Value(printer.List(vector, r, type)) : printer.Scalar(reader.Read(r), type);
        if (const auto* text = std::get_if<std::string>(&cell)) bytes += text->size();
      }
    }
    return bytes <= kAnswerBytesMax;
  };
  const Connection::Statement run{
      .sql = statement.sql, .parameters = statement.parameters, .select_only = true};
  if (const std::optional<Failure> failure = connection.Run(run, nullptr, read)) {
    return StatementFailed(*failure);
  }
  return rows;
}

}  // namespace tacit::catalog
