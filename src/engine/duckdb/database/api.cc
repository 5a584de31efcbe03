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
  const Result<Done> loaded = Library().Loaded();
  return loaded.ok() ? loaded : EngineUnavailable(loaded.error().private_detail);
}

void* FunctionAt(const char* name) { return Library().FunctionAt(name); }

}  // namespace tacit::engine::duckdb
