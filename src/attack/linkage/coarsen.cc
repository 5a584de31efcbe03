#include "attack/linkage/coarsen.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "anonymize/partition/domain.h"

namespace tacit::attack {
namespace {

bool IsDate(std::string_view cell) {
  if (cell.size() != 10 || cell[4] != '-' || cell[7] != '-') return false;
  for (const size_t i : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (cell[i] < '0' || cell[i] > '9') return false;
  }
  return true;
}

std::string CoarsenDate(std::string_view cell, uint32_t step) {
  if (!IsDate(cell)) return std::string(cell);
  if (step == 0) return std::string(cell);
  if (step == 1) return std::string(cell.substr(0, 7));
  const int year =
      (cell[0] - '0') * 1000 + (cell[1] - '0') * 100 + (cell[2] - '0') * 10 + cell[3] - '0';
  const int width = step == 2 ? 1 : step == 3 ? 5 : 10;
  return std::to_string(year / width * width);
}

std::string CoarsenNumber(std::string_view cell, uint32_t step, double unit) {
  static constexpr double kWidths[kCoarsenSteps] = {1, 2, 5, 10, 20};
  double number = 0;
  if (step == 0 || !anonymize::ParseNumber(cell, number)) return std::string(cell);
  const double width = unit * kWidths[std::min(step, kCoarsenSteps - 1)];
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", std::floor(number / width) * width);
  return text;
}

}  // namespace

Ladder LadderOf(const anonymize::CodedColumn& column) {
  double number = 0;
  bool any = false, dates = true, numbers = true;
  for (const std::string& value : column.values) {
    if (value.empty()) continue;  // a missing cell stays one
    any = true;
    dates = dates && IsDate(value);
    numbers = numbers && anonymize::ParseNumber(value, number);
  }
  if (!any) return Ladder::kCategory;
  return dates ? Ladder::kDate : numbers ? Ladder::kNumber : Ladder::kCategory;
}

double UnitOf(const anonymize::CodedColumn& column) {
  double low = 0, high = 0, number = 0;
  bool any = false;
  for (const std::string& value : column.values) {
    if (!anonymize::ParseNumber(value, number)) continue;
    low = any ? std::min(low, number) : number;
    high = any ? std::max(high, number) : number;
    any = true;
  }
  // Why a fiftieth: steps of 1 to 20 years suit ages, whose range is about a hundred.
  const double wide = (high - low) / 50;
  return wide >= 1 ? std::pow(10, std::floor(std::log10(wide))) : 1;
}

std::string Coarsen(Ladder ladder, std::string_view cell, uint32_t step, double unit) {
  switch (ladder) {
    case Ladder::kDate:
      return CoarsenDate(cell, step);
    case Ladder::kNumber:
      return CoarsenNumber(cell, step, unit);
    case Ladder::kPrefix:
      return std::string(cell.substr(0, cell.size() - std::min<size_t>(cell.size(), step)));
    case Ladder::kCategory:
      break;
  }
  return std::string(cell);
}

}  // namespace tacit::attack
