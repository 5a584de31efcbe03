#include "gateway/learning/cell_columns.h"

namespace tacit::gateway::learning {
namespace {

// Why 1,000: that many listed values of all texts together take more noise than they say.
constexpr size_t kCellColumnsMax = 1'000;

bool IsWhole(const ValueType& type) {
  return type.kind == TypeKind::kSmallint || type.kind == TypeKind::kInteger ||
         type.kind == TypeKind::kBigint;
}

}  // namespace

Result<std::vector<learn::CellColumn>> CellColumnsOf(RowsToLearn& rows, size_t bins,
                                                     const Request& request,
                                                     const Services& services) {
  RowsToLearn listed = rows;
  TACIT_TRY(const std::vector<learn::Column> ranges,
            RangesOf(listed, request, services, kCellColumnsMax));
  rows.rows_per_person = listed.rows_per_person;
  std::vector<learn::CellColumn> columns;
  size_t next = 0;
  for (const plan::OutputColumn& column : rows.shape) {
    const learn::Column& range = ranges[next++];
    if (!range.of.empty()) {
      // A boolean for each listed value but the first.
      learn::CellColumn category{.name = column.name, .kind = learn::CellKind::kCategory};
      category.values = {range.reference, range.value};
      while (next < ranges.size() && ranges[next].of == column.name) {
        category.values.push_back(ranges[next++].value);
      }
      columns.push_back(std::move(category));
    } else if (range.is_boolean) {
      columns.push_back({.name = column.name, .kind = learn::CellKind::kBoolean});
    } else {
      columns.push_back(
          learn::BinsOf(column.name, range.low, range.high, IsWhole(column.type), bins));
      if (columns.back().Cells() > 1) continue;
      return Error{.code = ErrorCode::kRefused,
                   .public_message = column.name + " has one value between its declared bounds",
                   .hint = "leave it out, or ask the owner for wider bounds",
                   .position = std::nullopt,
                   .private_detail = ""};
    }
  }
  return columns;
}

}  // namespace tacit::gateway::learning
