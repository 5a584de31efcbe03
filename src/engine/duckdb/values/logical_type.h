#pragma once

#include <memory>

#include "engine/duckdb/database/api.h"

namespace tacit::engine::duckdb {

struct TypeCloser {
  void operator()(_duckdb_logical_type* type) const { duckdb_destroy_logical_type(&type); }
};
using LogicalType = std::unique_ptr<_duckdb_logical_type, TypeCloser>;

}  // namespace tacit::engine::duckdb
