#pragma once

#include "plan/tree/make.h"

// Internal to src/plan/tree.
namespace tacit::plan::tree {

// The rows that a block is made of, before its filters.
Result<Rows> RowsOf(const analysis::Block& block, const Binder& binder);

// Whether every stored row is a unit of its own and can stand in several rows: people are then
// counted by its number in the table. The number is the row's identity in one statement, and never
// an order.
bool TellsRowsApart(const analysis::Block& block);

}  // namespace tacit::plan::tree
