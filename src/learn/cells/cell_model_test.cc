#include "learn/cells/cell_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "learn/cells/cell_page.h"

namespace tacit::learn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CellModel BayesModel() {
  CellModel model{.task = CellTask::kNaiveBayes,
                  .rows = "SELECT old, age, town FROM people",
                  .target = {.name = "old", .kind = CellKind::kBoolean},
                  .features = {BinsOf("age", 0, 3, true, 16)},
                  .fit = {},
                  .privacy = {.epsilon = "1",
                              .delta = "0",
                              .accounting = "pure",
                              .neighbours = "add_remove",
                              .unit = "one person <b>",
                              .receipt = "r1"}};
  CellColumn town{.name = "town", .kind = CellKind::kCategory};
  town.values = {"north", "<south>"};
  model.features.push_back(town);
  model.fit = {.known = true,
               .rows = 100,
               .class_rows = {60, 40},
               .constants = {-0.5, -0.9},
               .weights = {{{-1, -1.5, -1.25, -2}, {-0.5, -1}}, {{-3, -2, -1, -0.5}, {-1, -0.5}}},
               .noise = {{{0.1, 0.1, 0.1, 0.1}, {0.1, 0.1}}, {{0.1, 0.1, 0.1, 0.1}, {0.1, 0.1}}},
               .trees = {}};
  return model;
}

CellModel TreeModel() {
  CellModel model = BayesModel();
  model.task = CellTask::kTree;
  model.fit = {.known = true, .rows = 100, .class_rows = {60, 40}, .constants = {0, 0}};
  CellTree tree;
  tree.nodes = {{.feature = 0, .goes_right = {false, false, true, true}, .left = 1, .right = 2},
                {.values = {0.75, 0.25}},
                {.feature = 1, .goes_right = {false, true}, .left = 3, .right = 4},
                {.values = {0.5, 0.5}},
                {.values = {0.25, 0.75}}};
  model.fit.trees = {tree};
  return model;
}

TEST(CellModel, IsReadAsItWasWritten) {
  for (const CellModel& model : {BayesModel(), TreeModel()}) {
    const std::string text = ModelText(model);
    EXPECT_TRUE(IsCellModel(text));
    const Result<CellModel> read = ReadCellModel(text);
    ASSERT_TRUE(read.ok()) << read.error().public_message;
    EXPECT_EQ(ModelText(*read), text);
    const Result<CellFit> fit =
        ReadFit(FitText(model.fit), model.task, model.target, model.features);
    ASSERT_TRUE(fit.ok());
    EXPECT_EQ(FitText(*fit), FitText(model.fit));
  }
}

TEST(CellModel, SaysHowLikelyEachClassIs) {
  const CellModel bayes = BayesModel();
  const std::vector<double> outputs = OutputsOf(bayes.fit, {3, 1});
  EXPECT_DOUBLE_EQ(outputs[0], -0.5 - 2 - 1);
  EXPECT_DOUBLE_EQ(outputs[1], -0.9 - 0.5 - 0.5);
  EXPECT_EQ(ClassOf(bayes.task, outputs), 1u);
  const std::vector<double> shares = SharesOf(bayes.task, outputs);
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-12);
  EXPECT_NEAR(shares[1] / shares[0], std::exp(outputs[1] - outputs[0]), 1e-9);
  const CellModel tree = TreeModel();
  EXPECT_EQ(OutputsOf(tree.fit, {0, 1}), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(OutputsOf(tree.fit, {2, 1}), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(SharesOf(CellTask::kLogistic, {0.0}), (std::vector<double>{0.5, 0.5}));
}

TEST(CellModel, SaysWhatALeafIs) {
  std::vector<std::string> conditions;
  for (const CellLeaf& leaf : LeavesOf(TreeModel())) conditions.push_back(leaf.condition);
  EXPECT_EQ(conditions, (std::vector<std::string>{"age: 0 to 1", "age: 2 to 3; town: north",
                                                  "age: 2 to 3; town: <south>"}));
}

TEST(CellModel, ItsPageShowsEachCellAndRunsNothing) {
  for (const CellModel& model : {BayesModel(), TreeModel()}) {
    const std::string page = ModelPage(model);
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(page, HasSubstr("&lt;south&gt;"));
    EXPECT_THAT(page, HasSubstr("one person &lt;b&gt;"));
    EXPECT_THAT(page, Not(HasSubstr("<script")));
  }
  EXPECT_EQ(LinesOf(BayesModel()).size(), 6u);
  EXPECT_NEAR(LinesOf(BayesModel())[0].value, -2, 1e-12);
}

// Any bytes are read or refused: 4,000 files with a part changed, cut or put twice.
TEST(CellModel, RefusesWhatIsNone) {
  for (const char* bad : {"", "{}", R"({"tacit_model": 1, "kind": "naive_bayes"})",
                          R"({"tacit_model": 1, "kind": "magic", "rows": ""})"}) {
    EXPECT_FALSE(ReadCellModel(bad).ok());
  }
  std::mt19937_64 bits(20261119);
  const std::string texts[] = {ModelText(BayesModel()), ModelText(TreeModel())};
  size_t read = 0;
  for (int run = 0; run < 4000; ++run) {
    std::string text = texts[run % 2];
    const size_t at = bits() % text.size();
    switch (run % 3) {
      case 0:
        text[at] = "0123456789-.,[]{}\"e"[bits() % 19];
        break;
      case 1:
        text.erase(at, 1 + bits() % 40);
        break;
      default:
        text.insert(at, text.substr(bits() % text.size(), bits() % 30));
    }
    const Result<CellModel> model = ReadCellModel(text);
    if (!model.ok()) continue;
    ++read;
    // Whatever was accepted can be used.
    const std::vector<uint16_t> last = {
        static_cast<uint16_t>(model->features[0].Cells() - 1),
        static_cast<uint16_t>(model->features.size() > 1 ? model->features[1].Cells() - 1 : 0)};
    if (model->features.size() == 2) (void)SharesOf(model->task, OutputsOf(model->fit, last));
    (void)ModelPage(*model);
  }
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace tacit::learn
