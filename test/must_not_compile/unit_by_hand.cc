// WRONG: is private|private constructor
#include "plan/tree/tree.h"

namespace tree = tacit::plan::tree;

const std::string& RelationOf(const tree::Unit& unit) { return unit.relation(); }

#ifdef WRONG
tree::Unit Invented() { return tree::Unit("t1"); }
#endif
