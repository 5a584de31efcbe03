#include "tacit/learn/learn.h"

#include <cerrno>
#include <cstring>

#include "base/whole_file.h"

namespace tacit::app {

namespace {

Result<AnyModel> ModelOfText(const std::string& text) {
  if (learn::IsCellModel(text)) {
    TACIT_TRY(learn::CellModel model, learn::ReadCellModel(text));
    return AnyModel(std::move(model));
  }
  if (learn::IsCentreModel(text)) {
    TACIT_TRY(learn::CentreModel model, learn::ReadCentreModel(text));
    return AnyModel(std::move(model));
  }
  TACIT_TRY(learn::LinearModel model, learn::ReadModel(text));
  return AnyModel(std::move(model));
}

}  // namespace

Result<AnyModel> ModelFromFile(const std::string& path) {
  const std::optional<std::string> text = WholeFile(path, learn::kModelBytesMax);
  if (!text) return InvalidArgument("cannot read " + path + ": " + std::strerror(errno));
  Result<AnyModel> model = ModelOfText(*text);
  if (model.ok()) return model;
  Error error = std::move(model).error();
  error.public_message = path + ": " + error.public_message;
  return error;
}

void AddLearnCommand(Command app) {
  Command learn = app.Subcommand("learn", "models of people that remember none of them");
  learn.NeedsSubcommand();
  learn.Footer(
      "examples:\n"
      "  tacit learn linear clinic \"SELECT income, age FROM patients\" --target income\n"
      "      --epsilon 0.5 --out model.json\n"
      "  tacit learn show model.json --html model.html\n"
      "  tacit predict model.json new_patients.csv\n"
      "In SQL: SELECT * FROM tacit.linear_regression('SELECT income, age FROM patients', target "
      "=>\n"
      "'income'), and tacit.moments and tacit.pca over the same rows, which are then free;\n"
      "tacit.naive_bayes tells classes apart, and tacit.kmeans finds groups.");
  AddLearnLinear(learn);
  AddLearnCells(learn);
  AddLearnKmeans(learn);
  AddLearnShow(learn);
}

}  // namespace tacit::app
