#include "catalog/types.h"
#include "wire/service/question.h"

namespace tacit::wire {
namespace {

OidColumn ColumnOf(const plan::OutputColumn& column) {
  const auto [number, modifier] = catalog::TypeOf(column.type);
  // Of a type that has no number there are only NULLs.
  const Oid type = number == oid::kUnknown ? oid::kText : number;
  return {.name = column.name,
          .type = column.is_array ? catalog::ArrayOf(type) : type,
          .modifier = modifier};
}

}  // namespace

std::vector<OidColumn> ColumnsOf(const std::vector<plan::OutputColumn>& columns) {
  std::vector<OidColumn> shown;
  for (const plan::OutputColumn& column : columns) {
    shown.push_back(ColumnOf(column));
  }
  return shown;
}

}  // namespace tacit::wire
