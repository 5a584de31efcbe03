#include "analysis/types.h"

namespace tacit::analysis {

sql::Type QueryTypeOf(const ValueType& stored) {
  return stored.kind == TypeKind::kTime ? kOpaqueType : stored;
}

sql::Type QueryTypeAbove(const ValueType& stored) {
  sql::Type type = QueryTypeOf(stored);
  if (type.kind == TypeKind::kOpaque) type.kind = TypeKind::kUnknown;
  return type;
}

ValueType ValueTypeOf(const sql::Type& type) {
  return type.kind == TypeKind::kUnknown ? kTextType : type;
}

}  // namespace tacit::analysis
