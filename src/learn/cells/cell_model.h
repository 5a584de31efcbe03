#pragma once

#include "learn/cells/fit.h"
#include "learn/model/model.h"

namespace tacit::learn {

// A model of cells as it is kept in a file: everything in it was released or is public. Nothing
// else is needed to predict.
struct CellModel {
  CellTask task = CellTask::kNaiveBayes;
  std::string rows;   // the SELECT that it was learned from
  CellColumn target;  // its cells are the classes
  std::vector<CellColumn> features;
  CellFit fit;
  ModelPrivacy privacy;
};

// JSON, the same for the same model. docs/learning.md has its parts.
std::string ModelText(const CellModel& model);

// Reads one back. kInvalidArgument with what is wrong; any bytes may be given.
Result<CellModel> ReadCellModel(std::string_view text);

// Whether a file says that it is one of these.
bool IsCellModel(std::string_view text);

// What was learned alone, as the ledger keeps it.
std::string FitText(const CellFit& fit);
// Reads one back for these columns.
Result<CellFit> ReadFit(std::string_view text, CellTask task, const CellColumn& target,
                        const std::vector<CellColumn>& features);

}  // namespace tacit::learn
