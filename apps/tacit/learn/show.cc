#include <cmath>
#include <cstdio>

#include "learn/cells/cell_page.h"
#include "learn/model/html.h"
#include "learn/model/page_parts.h"
#include "learn/model/pmml.h"
#include "tacit/learn/learn.h"
#include "tacit/release/release.h"
#include "tacit/terminal/text_table.h"

// tacit learn show: what a model says, as a table or as a page with a picture.

namespace tacit::app {
namespace {

struct LearnShowFlags {
  std::string model;
  std::string html;
  std::string pmml;
};

std::string ModelNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

void PrintPrivacy(const learn::ModelPrivacy& privacy) {
  std::printf("epsilon %s, %s, %s, protects %d; %s\n", privacy.epsilon.c_str(),
              privacy.accounting.c_str(), privacy.neighbours.c_str(), privacy.protects,
              privacy.unit.c_str());
  if (!privacy.receipt.empty()) std::printf("receipt %s\n", privacy.receipt.c_str());
}

void PrintModel(const learn::LinearModel& model) {
  std::printf("linear regression of %s over: %s\n", model.target.name.c_str(), model.rows.c_str());
  std::printf("about %.0f rows", std::max(model.fit.rows, 0.0));
  if (model.fit.r_squared)
    std::printf(", R squared about %s", ModelNumber(*model.fit.r_squared).c_str());
  std::printf("\n\n");
  TextTable table({"term", "range", "estimate", "se_noise", "se_sample", "low", "high"});
  for (size_t i = 0; i <= model.features.size(); ++i) {
    const learn::Column* column = i == 0 ? nullptr : &model.features[i - 1];
    std::vector<std::string> row = {
        column == nullptr ? "(constant)" : column->name,
        column == nullptr ? "" : ToString(column->low) + " to " + ToString(column->high),
        ModelNumber(model.fit.coefficients[i])};
    if (model.fit.trust == learn::Trust::kFull) {
      const double margin = learn::MarginOf(model.fit, i);
      for (const double number :
           {learn::NoiseError(model.fit, i), learn::SamplingError(model.fit, i),
            model.fit.coefficients[i] - margin, model.fit.coefficients[i] + margin}) {
        row.push_back(ModelNumber(number));
      }
    }
    row.resize(7);
    table.Add(row);
  }
  std::printf("%s\n", table.Text().c_str());
  if (model.fit.trust == learn::Trust::kRidge) {
    std::printf("the noise hides how some features differ: ridge of %s rows, no intervals\n",
                ModelNumber(model.fit.ridge).c_str());
  }
  PrintPrivacy(model.privacy);
}

// What the people who were held out say.
void PrintScore(const learn::CellFit& fit) {
  if (!fit.score) return;
  const std::optional<learn::Accuracy> accuracy = learn::AccuracyOf(*fit.score);
  if (!accuracy) {
    std::printf("held out: too few rows to tell from the noise\n");
    return;
  }
  std::printf("held out: about %.0f rows, %.1f %% of them right (95 %%: +- %.1f)\n",
              std::max(accuracy->rows, 0.0), 100 * accuracy->right,
              100 * learn::kNormalAt95 * std::hypot(accuracy->se_noise, accuracy->se_sample));
  std::printf("always saying the commonest class would be right in %.1f %%\n",
              100 * accuracy->commonest);
}

void PrintModel(const learn::CellModel& model) {
  std::printf("%s of %s over: %s\n", learn::TitleOf(model.task).c_str(), model.target.name.c_str(),
              model.rows.c_str());
  std::printf("about %.0f rows\n", std::max(model.fit.rows, 0.0));
  PrintScore(model.fit);
  std::printf("\n");
  TextTable table({"cell", "weight", "se_noise"});
  for (const learn::CellLine& line : learn::LinesOf(model)) {
    table.Add({line.text, ModelNumber(line.value), line.noise > 0 ? ModelNumber(line.noise) : ""});
  }
  std::printf("%s\n", table.Text().c_str());
  PrintPrivacy(model.privacy);
}

void PrintModel(const learn::CentreModel& model) {
  std::printf("k-means, %zu centres over: %s\n", model.fit.centres.size(), model.rows.c_str());
  std::printf("about %.0f rows\n\n", std::max(model.fit.rows, 0.0));
  std::vector<std::string> head = {"centre", "rows"};
  for (const learn::CellColumn& feature : model.features) {
    head.push_back(feature.name);
    head.push_back("se_noise");
  }
  TextTable table(head);
  for (size_t c = 0; c < model.fit.centres.size(); ++c) {
    const learn::Centre& centre = model.fit.centres[c];
    std::vector<std::string> row = {std::to_string(c + 1), learn::Number(std::round(centre.rows))};
    for (size_t f = 0; f < model.features.size(); ++f) {
      row.push_back(learn::Number(centre.at[f]));
      row.push_back(centre.noise.empty() ? "" : learn::Number(centre.noise[f]));
    }
    table.Add(row);
  }
  std::printf("%s\n", table.Text().c_str());
  PrintPrivacy(model.privacy);
}

int RunLearnShow(const LearnShowFlags& flags) {
  const Result<AnyModel> model = ModelFromFile(flags.model);
  if (!model.ok()) return Report(model.error());
  if (!flags.pmml.empty()) {
    const Result<std::string> pmml =
        std::visit([](const auto& known) { return learn::PmmlOf(known); }, *model);
    if (!pmml.ok()) return Report(pmml.error());
    const Result<Done> written = WriteWhole(flags.pmml, *pmml);
    if (!written.ok()) return Report(written.error());
    std::printf("%s: the model as PMML, without its errors\n", flags.pmml.c_str());
    if (flags.html.empty()) return kExitDone;
  }
  if (flags.html.empty()) {
    std::visit([](const auto& known) { PrintModel(known); }, *model);
    return kExitDone;
  }
  const std::string page =
      std::visit([](const auto& known) { return learn::ModelPage(known); }, *model);
  const Result<Done> written = WriteWhole(flags.html, page);
  if (!written.ok()) return Report(written.error());
  std::printf("%s: open it in a browser\n", flags.html.c_str());
  return kExitDone;
}

}  // namespace

void AddLearnShow(Command learn) {
  auto flags = std::make_shared<LearnShowFlags>();
  Command command = learn.Subcommand("show", "what a model says, and what it cost");
  command.Footer(
      "examples:\n"
      "  tacit learn show model.json\n"
      "  tacit learn show model.json --html model.html\n"
      "  tacit learn show model.json --pmml model.pmml\n"
      "Free: a model is a released value.");
  command.Value("MODEL", flags->model, "the file that tacit learn wrote").Required();
  command.Value("--html", flags->html, "writes a page with a picture instead").NotEmpty();
  command
      .Value("--pmml", flags->pmml,
             "writes it for other programs: lines, logistic regression, SVMs and trees")
      .NotEmpty();
  command.Action([flags] { return RunLearnShow(*flags); });
}

}  // namespace tacit::app
