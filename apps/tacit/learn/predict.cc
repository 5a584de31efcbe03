#include "learn/model/predict.h"

#include <cstdio>

#include "anonymize/table/read_csv.h"
#include "base/quoted.h"
#include "tacit/learn/learn.h"

// tacit predict: a model used on rows that anybody may see. No ledger, no database.

namespace tacit::app {
namespace {

struct PredictFlags {
  std::string model;
  std::string file;
};

std::string PredictedText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

// Where each feature stands in the file.
Result<std::vector<size_t>> PlacesOf(const learn::LinearModel& model,
                                     const anonymize::Table& table) {
  std::vector<size_t> places;
  for (const learn::Column& feature : model.features) {
    TACIT_TRY(places.emplace_back(), table.IndexOf(feature.Source()));
  }
  return places;
}

// The columns that are added; empty where a cell of a feature is.
Result<std::string> PredictedCells(const learn::LinearModel& model,
                                   const std::vector<size_t>& places, const anonymize::Table& table,
                                   uint32_t row) {
  std::vector<double> values;
  for (size_t i = 0; i < places.size(); ++i) {
    Result<std::optional<double>> value =
        learn::ReadCell(model, i, table.columns[places[i]].Cell(row));
    if (!value.ok()) {
      Error error = std::move(value).error();
      error.public_message = table.Place(row) + ": " + error.public_message;
      return error;
    }
    if (!value->has_value()) return std::string(",,");
    values.push_back(**value);
  }
  const learn::Prediction prediction = learn::Predict(model, values);
  return PredictedText(prediction.value) + "," +
         (prediction.low ? PredictedText(*prediction.low) : "") + "," +
         (prediction.high ? PredictedText(*prediction.high) : "");
}

// The file with three more columns.
Result<std::string> PredictFile(const PredictFlags& flags) {
  TACIT_TRY(const learn::LinearModel model, ModelFromFile(flags.model));
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file));
  TACIT_TRY(const std::vector<size_t> places, PlacesOf(model, table));
  const std::string name = model.target.name + "_predicted";
  std::string out;
  for (const anonymize::CodedColumn& column : table.columns) {
    AppendCsvCell(column.name, ',', out);
    out += ',';
  }
  for (const char* suffix : {"", "_low", "_high"}) {
    AppendCsvCell(name + suffix, ',', out);
    out += *suffix == '_' && suffix[1] == 'h' ? '\n' : ',';
  }
  for (uint32_t row = 0; row < table.rows; ++row) {
    for (const anonymize::CodedColumn& column : table.columns) {
      AppendCsvCell(column.Cell(row), ',', out);
      out += ',';
    }
    TACIT_TRY(const std::string cells, PredictedCells(model, places, table, row));
    out += cells + '\n';
  }
  return out;
}

int RunPredict(const PredictFlags& flags) {
  const Result<std::string> predicted = PredictFile(flags);
  if (!predicted.ok()) return Report(predicted.error());
  const bool good =
      std::fwrite(predicted->data(), 1, predicted->size(), stdout) == predicted->size();
  return good && std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddPredictCommand(Command app) {
  auto flags = std::make_shared<PredictFlags>();
  Command command = app.Subcommand("predict", "use a model; no database and no budget");
  command.Footer(
      "examples:\n"
      "  tacit predict model.json new_patients.csv > predicted.csv\n"
      "Prints the file with three more columns: the prediction, and between what the row's own\n"
      "value lies in 95 % of cases. A row that lacks a feature has none; what lies outside a\n"
      "feature's public range counts as its end, as it did when the model was learned.");
  command.Value("MODEL", flags->model, "the file that tacit learn wrote").Required();
  command.Value("FILE", flags->file, "rows to predict: CSV with the model's features").Required();
  command.Action([flags] { return RunPredict(*flags); });
}

}  // namespace tacit::app
