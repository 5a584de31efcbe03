// A model's file: what is accepted is written and read back as it was, predicts within the target's
// range, and is shown.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "learn/cells/cell_page.h"
#include "learn/centres/centre_model.h"
#include "learn/model/html.h"
#include "learn/model/predict.h"

using namespace tacit;

namespace {

// Of one of the models of cells: the same, and every row gets an answer.
void UseCells(const learn::CellModel& model) {
  const std::string written = learn::ModelText(model);
  const Result<learn::CellModel> again = learn::ReadCellModel(written);
  TACIT_ASSERT(again.ok() && learn::ModelText(*again) == written);
  std::vector<uint16_t> last;
  for (const learn::CellColumn& feature : model.features) {
    last.push_back(static_cast<uint16_t>(feature.Cells() - 1));
  }
  const std::vector<double> outputs = learn::OutputsOf(model.fit, last);
  TACIT_ASSERT(learn::ClassOf(model.task, outputs) < model.target.Cells());
  TACIT_ASSERT(!learn::ModelPage(model).empty());
}

// Of centres: the same, and every row has a nearest one.
void UseCentres(const learn::CentreModel& model) {
  const std::string written = learn::ModelText(model);
  const Result<learn::CentreModel> again = learn::ReadCentreModel(written);
  TACIT_ASSERT(again.ok() && learn::ModelText(*again) == written);
  const std::vector<uint16_t> first(model.features.size(), 0);
  TACIT_ASSERT(learn::NearestCentre(model.features, model.fit, first) < model.fit.centres.size());
  TACIT_ASSERT(!learn::ModelPage(model).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (learn::IsCellModel(text)) {
    const Result<learn::CellModel> cells = learn::ReadCellModel(text);
    TACIT_ASSERT(cells.ok() || !cells.error().public_message.empty());
    if (cells.ok()) UseCells(*cells);
    return 0;
  }
  if (learn::IsCentreModel(text)) {
    const Result<learn::CentreModel> centres = learn::ReadCentreModel(text);
    TACIT_ASSERT(centres.ok() || !centres.error().public_message.empty());
    if (centres.ok()) UseCentres(*centres);
    return 0;
  }
  const Result<learn::LinearModel> model = learn::ReadModel(text);
  if (!model.ok()) {
    TACIT_ASSERT(!model.error().public_message.empty());
    return 0;
  }
  const std::string written = learn::ModelText(*model);
  const Result<learn::LinearModel> again = learn::ReadModel(written);
  TACIT_ASSERT(again.ok() && learn::ModelText(*again) == written);
  for (const double value : {0.0, 1e300, -1e300}) {
    const learn::Prediction prediction =
        learn::Predict(*model, std::vector<double>(model->features.size(), value));
    TACIT_ASSERT(!(prediction.value < model->target.low.get_d()));
    TACIT_ASSERT(!(prediction.value > model->target.high.get_d()));
  }
  TACIT_ASSERT(!learn::ModelPage(*model).empty());
  return 0;
}
