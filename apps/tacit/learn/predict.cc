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

const std::string& SourceOf(const learn::Column& column) { return column.Source(); }
const std::string& SourceOf(const learn::CellColumn& column) { return column.name; }

// Where each feature stands in the file.
template <class Model>
Result<std::vector<size_t>> PlacesOf(const Model& model, const anonymize::Table& table) {
  std::vector<size_t> places;
  for (const auto& feature : model.features) {
    TACIT_TRY(places.emplace_back(), table.IndexOf(SourceOf(feature)));
  }
  return places;
}

// What a row has of the features; nothing where it lacks one. `read(i, text)` reads a cell of the
// file.
template <class Value, class Read>
Result<std::optional<std::vector<Value>>> FeaturesOf(const std::vector<size_t>& places,
                                                     const anonymize::Table& table, uint32_t row,
                                                     const Read& read) {
  std::vector<Value> values;
  for (size_t i = 0; i < places.size(); ++i) {
    auto value = read(i, table.columns[places[i]].Cell(row));
    if (!value.ok()) {
      Error error = std::move(value).error();
      error.public_message = table.Place(row) + ": " + error.public_message;
      return error;
    }
    if (!value->has_value()) return std::optional<std::vector<Value>>();
    values.push_back(static_cast<Value>(**value));
  }
  return std::optional(std::move(values));
}

// The names of the columns that are added, and a row's cells of them.
std::vector<std::string> AddedBy(const learn::LinearModel& model) {
  const std::string name = model.target.name + "_predicted";
  return {name, name + "_low", name + "_high"};
}

Result<std::string> PredictedCells(const learn::LinearModel& model,
                                   const std::vector<size_t>& places, const anonymize::Table& table,
                                   uint32_t row) {
  TACIT_TRY(const auto values,
            FeaturesOf<double>(places, table, row, [&](size_t i, std::string_view text) {
              return learn::ReadCell(model, i, text);
            }));
  if (!values) return std::string(",,");
  const learn::Prediction prediction = learn::Predict(model, *values);
  return PredictedText(prediction.value) + "," +
         (prediction.low ? PredictedText(*prediction.low) : "") + "," +
         (prediction.high ? PredictedText(*prediction.high) : "");
}

std::vector<std::string> AddedBy(const learn::CellModel& model) {
  return {model.target.name + "_predicted", model.task == learn::CellTask::kSvm
                                                ? model.target.name + "_margin"
                                                : model.target.name + "_probability"};
}

Result<std::string> PredictedCells(const learn::CellModel& model, const std::vector<size_t>& places,
                                   const anonymize::Table& table, uint32_t row) {
  TACIT_TRY(const auto cells,
            FeaturesOf<uint16_t>(places, table, row, [&](size_t i, std::string_view text) {
              return learn::CellOf(model.features[i], text);
            }));
  if (!cells) return std::string(",");
  const std::vector<double> outputs = learn::OutputsOf(model.fit, *cells);
  const size_t found = learn::ClassOf(model.task, outputs);
  const std::vector<double> shares = learn::SharesOf(model.task, outputs);
  // Of two classes how likely the second one is, so that rows can be put in order.
  const size_t shown = model.target.Cells() == 2 ? 1 : found;
  std::string text;
  AppendCsvCell(model.target.LabelOf(found), ',', text);
  return text + "," + PredictedText(shares.empty() ? outputs[0] : shares[shown]);
}

std::vector<std::string> AddedBy(const learn::CentreModel&) { return {"centre"}; }

Result<std::string> PredictedCells(const learn::CentreModel& model,
                                   const std::vector<size_t>& places, const anonymize::Table& table,
                                   uint32_t row) {
  TACIT_TRY(const auto cells,
            FeaturesOf<uint16_t>(places, table, row, [&](size_t i, std::string_view text) {
              return learn::CellOf(model.features[i], text);
            }));
  if (!cells) return std::string();
  return std::to_string(learn::NearestCentre(model.features, model.fit, *cells) + 1);
}

// The file with more columns.
template <class Model>
Result<std::string> PredictTable(const Model& model, const anonymize::Table& table) {
  TACIT_TRY(const std::vector<size_t> places, PlacesOf(model, table));
  std::string out;
  for (const anonymize::CodedColumn& column : table.columns) {
    AppendCsvCell(column.name, ',', out);
    out += ',';
  }
  const std::vector<std::string> added = AddedBy(model);
  for (size_t i = 0; i < added.size(); ++i) {
    AppendCsvCell(added[i], ',', out);
    out += i + 1 == added.size() ? '\n' : ',';
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

Result<std::string> PredictFile(const PredictFlags& flags) {
  TACIT_TRY(const AnyModel any, ModelFromFile(flags.model));
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file));
  return std::visit([&](const auto& model) { return PredictTable(model, table); }, any);
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
      "Prints the file with more columns: of a line the prediction, and between what the row's "
      "own\n"
      "value lies in 95 % of cases; of classes the likeliest, and how likely it is (of two, the\n"
      "second; an SVM has a margin instead); of k-means the nearest centre. A row that lacks a "
      "feature has none; what lies "
      "outside\n"
      "a feature's public range counts as its end, as it did when the model was learned.");
  command.Value("MODEL", flags->model, "the file that tacit learn wrote").Required();
  command.Value("FILE", flags->file, "rows to predict: CSV with the model's features").Required();
  command.Action([flags] { return RunPredict(*flags); });
}

}  // namespace tacit::app
