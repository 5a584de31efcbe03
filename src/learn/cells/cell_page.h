#pragma once

#include "learn/cells/cell_model.h"

namespace tacit::learn {

// What one cell, or one leaf of a tree, says: of two classes for the second and against the first,
// of several for the one that the text names.
struct CellLine {
  std::string text;
  double value = 0;
  double noise = 0;  // one standard deviation; 0 where none is known
};
std::vector<CellLine> LinesOf(const CellModel& model);

// A leaf of a tree, and what a row has to meet to be in it.
struct CellLeaf {
  size_t tree = 0;
  std::string condition;
  std::vector<double> values;  // by output
};
std::vector<CellLeaf> LeavesOf(const CellModel& model);

// A page that shows a model: a bar for each cell or leaf, with what the noise leaves open, and what
// was paid. It needs nothing beside itself.
std::string ModelPage(const CellModel& model);

}  // namespace tacit::learn
