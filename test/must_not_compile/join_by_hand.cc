// WRONG: is private|private constructor|no matching
#include "plan/tree/tree.h"

namespace tree = tacit::plan::tree;

tree::Join Loosened(tree::Join join) {
  join.units_last = true;
  return join;
}

#ifdef WRONG
tree::Join WithoutUnits(const tree::Rows& left, const tree::Rows& right) {
  tree::Join join;
  join.left = left;
  join.right = right;
  return join;
}
#endif
