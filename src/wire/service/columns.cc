#include "wire/pg/types/codec.h"
#include "wire/service/question.h"

namespace tacit::wire {

std::vector<Column> ColumnsOf(const std::vector<plan::OutputColumn>& columns) {
  std::vector<Column> shown;
  for (const plan::OutputColumn& column : columns) {
    const pg::NamedType type = pg::TypeNamed(column.type);
    shown.push_back({.name = column.name, .type = type.type, .modifier = type.modifier});
  }
  return shown;
}

std::vector<Column> ColumnsOf(const std::vector<catalog::Column>& columns) {
  std::vector<Column> shown;
  for (const catalog::Column& column : columns) {
    shown.push_back({.name = column.name, .type = column.type, .modifier = column.modifier});
  }
  return shown;
}

}  // namespace tacit::wire
