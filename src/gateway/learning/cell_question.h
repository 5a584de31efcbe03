#pragma once

#include "engine/exact_groups.h"
#include "gateway/learning/rows_to_learn.h"
#include "learn/cells/cells.h"
#include "learn/rounds/rows.h"

namespace tacit::gateway::learning {

// The one question that a model of cells asks of the engine: how often each combination of cells
// occurs among the rows to learn from. The cells of several columns are packed into one number.
struct CellQuestion {
  plan::Release release;
  std::vector<size_t> keys_of;        // which key each column is packed into
  std::vector<int64_t> multipliers;   // its cell's weight there
  std::vector<size_t> cells;          // how many each column has
  learn::Step step;                   // by what one step between neighbours changes the rows
  std::vector<std::string> promises;  // whose rows these are and how many of them count
  std::string fingerprint;            // of what is asked, caps and cells included
  std::optional<size_t> unit_key;     // where the rows' unit is, if wished
};
Result<CellQuestion> AskForCells(const std::vector<learn::CellColumn>& columns,
                                 const RowsToLearn& rows, const Request& request,
                                 const Services& services, bool with_unit = false);

// The rows themselves, each column a key, with their unit: for programs that see them apart from
// everybody else's.
Result<CellQuestion> AskForRows(const RowsToLearn& rows, const Request& request,
                                const Services& services);

// The rows' unit as one more key of the groups, a text, behind the others; kUnsupported where every
// row is a person of its own. Which one it is goes nowhere but into the mechanism.
Result<analysis::Key> UnitKeyOf(const analysis::Block& block);

// Who is held out of training, as the mechanism decides it.
struct HeldOutPeople {
  Rational share;  // above 0
  std::string_view deployment_key;
};

// What the engine found, unpacked: the cells of each row in the order of the columns. With `held`
// the question was asked with the unit.
learn::CellRows RowsIn(const engine::ExactGroups& groups, const CellQuestion& question,
                       const std::optional<HeldOutPeople>& held = std::nullopt);

}  // namespace tacit::gateway::learning
