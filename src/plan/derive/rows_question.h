#pragma once

#include <string>

namespace tacit::plan {

// What MeasureShape::question is of the number of all rows of a group.
std::string QuestionOfRows();

}  // namespace tacit::plan
