#pragma once

#include "learn/centres/centres.h"
#include "learn/model/model.h"

namespace tacit::learn {

// Centres as they are kept in a file: everything in it was released or is public. Nothing else is
// needed to say which one a row is nearest to.
struct CentreModel {
  std::string rows;  // the SELECT that they were found in
  std::vector<CellColumn> features;
  CentreFit fit;
  ModelPrivacy privacy;
};

// JSON, the same for the same model. docs/learning.md has its parts.
std::string ModelText(const CentreModel& model);

// Reads one back. kInvalidArgument with what is wrong; any bytes may be given.
Result<CentreModel> ReadCentreModel(std::string_view text);

// Whether a file says that it is one of these.
bool IsCentreModel(std::string_view text);

// Reads back what FitText wrote for these features.
Result<CentreFit> ReadCentreFit(std::string_view text, const std::vector<CellColumn>& features);

// A page that shows them: a map where there are two columns, and where each centre is in each
// column, with what the noise leaves open. It needs nothing beside itself.
std::string ModelPage(const CentreModel& model);

}  // namespace tacit::learn
