// WRONG: deleted function|deleted default constructor|implicitly deleted
#include "plan/tree/tree.h"

namespace tree = tacit::plan::tree;

tree::GroupPlaces Placed(const tree::Unit& unit, const tree::Rows& rows) {
  return {.unit = unit, .input = rows, .keys = {}};
}

#ifdef WRONG
tree::UnitCap Forgotten(const tree::Rows& rows) {
  tree::UnitCap cap;
  cap.input = rows;
  return cap;
}
#endif
