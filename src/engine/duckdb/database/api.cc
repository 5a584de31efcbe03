#include "engine/duckdb/database/api.h"

#include "base/process/late_library.h"
#include "engine/duckdb/database/errors.h"

namespace tacit::engine::duckdb {
namespace {

const LateLibrary& Library() {
  static const LateLibrary library("libduckdb.so");
  return library;
}

}  // namespace

Result<Done> LoadLibrary() {
  Result<Done> loaded = Library().Loaded();
  if (loaded.ok()) return loaded;
  Error error = std::move(loaded).error();
  error.public_message += ": it is the engine, DuckDB, and belongs beside the program";
  error.hint =
      "nothing was charged, and the database is as it was. Put libduckdb.so back where the program "
      "was installed: install the package again, or in the source tree run ./scripts/setup";
  return error;
}

void* FunctionAt(const char* name) { return Library().FunctionAt(name); }

}  // namespace tacit::engine::duckdb
