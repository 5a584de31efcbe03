#include "sql/type.h"

namespace tacit::sql {

std::string ToString(const Type& type) {
  return type.kind == TypeKind::kOpaque ? "a type without rules" : PostgresName(type);
}

}  // namespace tacit::sql
