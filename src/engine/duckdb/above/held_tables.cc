#include "engine/duckdb/above/held_tables.h"

#include <algorithm>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/values/write_values.h"

namespace tacit::engine::duckdb {
namespace {

constexpr char kFunction[] = "tacit_held_table";

class RowsAsTheyAre final : public RowSource {
 public:
  explicit RowsAsTheyAre(PackedRows rows) : rows_(std::move(rows)) {}
  size_t size() const override { return rows_.size(); }
  std::unique_ptr<Cursor> Open() const override { return std::make_unique<InTurn>(rows_); }

 private:
  class InTurn final : public Cursor {
   public:
    explicit InTurn(const PackedRows& rows) : rows_(rows) {}
    bool Next(std::vector<Value>& row) override { return rows_.Next(next_, row); }

   private:
    const PackedRows& rows_;
    PackedRows::Place next_;
  };

  PackedRows rows_;
};

struct HeldTable {
  TableShape shape;
  std::shared_ptr<const RowSource> rows;  // null: none
  size_t size() const { return rows == nullptr ? 0 : rows->size(); }
};

// A shared_ptr in the hands of DuckDB.
template <class T>
void* Hand(std::shared_ptr<T> shared) {
  return new std::shared_ptr<T>(std::move(shared));
}
template <class T>
std::shared_ptr<T>& Handed(void* pointer) {
  return *static_cast<std::shared_ptr<T>*>(pointer);
}
template <class T>
void LetGo(void* pointer) {
  delete static_cast<std::shared_ptr<T>*>(pointer);
}

// One reading of a table.
struct Reading {
  std::shared_ptr<const RowSource> rows = nullptr;  // null: begins with the first chunk
  std::unique_ptr<RowSource::Cursor> cursor = nullptr;
};

// ---- what DuckDB calls for `FROM name`: once for each plan, once for each run, for each chunk

void Start(duckdb_init_info info) {
  auto* const reading = new (std::nothrow) Reading;
  if (reading == nullptr) return duckdb_init_set_error(info, kCallbackThrew);
  duckdb_init_set_init_data(info, reading, [](void* made) { delete static_cast<Reading*>(made); });
}

void FillChunk(duckdb_function_info info, duckdb_data_chunk chunk) {
  const HeldTable& table = *Handed<HeldTable>(duckdb_function_get_bind_data(info));
  auto& reading = *static_cast<Reading*>(duckdb_function_get_init_data(info));
  size_t size = 0;
  if (reading.cursor == nullptr && table.rows != nullptr) {
    reading.rows = table.rows;
    reading.cursor = table.rows->Open();
  }
  if (reading.cursor != nullptr) {
    std::vector<ColumnWriter> columns;
    for (size_t c = 0; c < table.shape.columns.size(); ++c) {
      columns.emplace_back(duckdb_data_chunk_get_vector(chunk, c), table.shape.columns[c].type);
    }
    std::vector<Value> row;
    while (size < duckdb_vector_size() && reading.cursor->Next(row)) {
      bool fits = row.size() == columns.size();
      for (size_t c = 0; fits && c < columns.size(); ++c) fits = columns[c].Write(size, row[c]);
      if (!fits) {
        duckdb_function_set_error(info, "a value is not of its column's type");
        return;
      }
      ++size;
    }
  }
  duckdb_data_chunk_set_size(chunk, size);
}

void FillChunkOrFail(duckdb_function_info info, duckdb_data_chunk chunk) {
  try {
    FillChunk(info, chunk);
  } catch (...) {
    Quietly([&] { duckdb_function_set_error(info, kCallbackThrew); });
  }
}

}  // namespace

struct HeldTables::All {
  std::vector<TableShape> shapes;
  std::vector<std::shared_ptr<HeldTable>> tables;

  // By a view: nothing is allocated where DuckDB asks.
  std::shared_ptr<HeldTable> Find(std::string_view name) const {
    for (const auto& table : tables) {
      if (table->shape.name == name) return table;
    }
    return nullptr;
  }
};

// The two callbacks that look a name up.
struct HeldTables::Scan {
  static void Replace(duckdb_replacement_scan_info info, const char* name, void* all) {
    if (Handed<All>(all)->Find(name) == nullptr) return;
    duckdb_replacement_scan_set_function_name(info, kFunction);
    duckdb_value parameter = duckdb_create_varchar(name);
    duckdb_replacement_scan_add_parameter(info, parameter);
    duckdb_destroy_value(&parameter);
  }

  static void Bind(duckdb_bind_info info) {
    duckdb_value parameter = duckdb_bind_get_parameter(info, 0);
    char* name = duckdb_get_varchar(parameter);
    std::shared_ptr<HeldTable> table =
        Handed<All>(duckdb_bind_get_extra_info(info))->Find(name != nullptr ? name : "");
    duckdb_free(name);
    duckdb_destroy_value(&parameter);
    if (table == nullptr) return duckdb_bind_set_error(info, "no such table");
    for (const ResultColumn& column : table->shape.columns) {
      duckdb_bind_add_result_column(info, column.name.c_str(), LogicalTypeOf(column.type).get());
    }
    // Without rows nothing is known: they may come later.
    if (table->size() > 0) duckdb_bind_set_cardinality(info, table->size(), false);
    duckdb_bind_set_bind_data(info, Hand(std::move(table)), LetGo<HeldTable>);
  }

  static void BindOrFail(duckdb_bind_info info) {
    try {
      Bind(info);
    } catch (...) {
      Quietly([&] { duckdb_bind_set_error(info, kCallbackThrew); });
    }
  }
};

bool operator==(const TableShape& a, const TableShape& b) {
  return a.name == b.name && std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(),
                                        b.columns.end(), [](const auto& x, const auto& y) {
                                          return x.name == y.name && x.type == y.type;
                                        });
}

Result<HeldTables> HeldTables::AddTo(duckdb_database database, duckdb_connection connection) {
  const auto all = std::make_shared<All>();
  duckdb_table_function made = duckdb_create_table_function();
  duckdb_table_function_set_name(made, kFunction);
  duckdb_table_function_add_parameter(made, LogicalTypeOf(kTextType).get());
  duckdb_table_function_set_extra_info(made, Hand(all), LetGo<All>);
  duckdb_table_function_set_bind(made, Scan::BindOrFail);
  duckdb_table_function_set_init(made, Start);
  duckdb_table_function_set_function(made, FillChunkOrFail);
  const duckdb_state registered = duckdb_register_table_function(connection, made);
  duckdb_destroy_table_function(&made);
  if (registered != DuckDBSuccess) return EngineUnavailable("the table function is not taken");
  duckdb_add_replacement_scan(database, Scan::Replace, Hand(all), LetGo<All>);
  return HeldTables(all);
}

void HeldTables::Arrange(const std::vector<TableShape>& tables) {
  Clear();
  // Both or neither: shapes without their tables would be taken for arranged.
  std::vector<TableShape> shapes = tables;
  std::vector<std::shared_ptr<HeldTable>> made;
  for (const TableShape& shape : tables) {
    made.push_back(std::make_shared<HeldTable>(HeldTable{.shape = shape, .rows = nullptr}));
  }
  all_->shapes = std::move(shapes);
  all_->tables = std::move(made);
}

const std::vector<TableShape>& HeldTables::tables() const { return all_->shapes; }

void HeldTables::Fill(const std::string& name, std::shared_ptr<const RowSource> rows) {
  const std::shared_ptr<HeldTable> table = all_->Find(name);
  TACIT_ASSERT(table != nullptr);
  table->rows = std::move(rows);
}

void HeldTables::Fill(const std::string& name, PackedRows rows) {
  Fill(name, std::make_shared<const RowsAsTheyAre>(std::move(rows)));
}

void HeldTables::Clear() {
  for (const auto& table : all_->tables) table->rows = nullptr;
}

size_t HeldTables::rows() const {
  size_t all = 0;
  for (const auto& table : all_->tables) all += table->size();
  return all;
}

}  // namespace tacit::engine::duckdb
