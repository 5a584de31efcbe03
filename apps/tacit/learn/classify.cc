#include "gateway/learning/classify.h"

#include <cstdio>

#include "answer/format/format.h"
#include "gateway/deployment/deployment.h"
#include "gateway/moment.h"
#include "tacit/learn/learn.h"
#include "tacit/release/release.h"
#include "tacit/terminal/interrupt.h"

// tacit learn bayes and its like: models of public cells, to be kept and used without the people.

namespace tacit::app {
namespace {

struct CellCommand {
  const char* name;
  learn::CellTask task;
  const char* summary;
};
constexpr CellCommand kCellCommands[] = {
    {"bayes", learn::CellTask::kNaiveBayes, "naive Bayes: how often each class has each bin"},
    {"svm", learn::CellTask::kSvm, "a linear support vector machine: a weight for each bin"},
    {"logistic", learn::CellTask::kLogistic, "logistic regression: log-odds for each bin"},
    {"tree", learn::CellTask::kTree, "one decision tree, to be read"},
    {"boost", learn::CellTask::kBoost, "boosted trees, to predict with"},
};

struct LearnCellsFlags {
  learn::CellTask task = learn::CellTask::kNaiveBayes;
  std::string folder;
  std::string rows;
  std::string target;
  std::string features;
  std::string bins;
  std::string holdout;
  std::string epsilon;
  std::string analyst;
  std::string out;
};

Result<gateway::learning::LearnedCells> LearnCellModel(const LearnCellsFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  sql::LearnCall call{.task = learn::NameOf(flags.task), .rows = flags.rows, .options = {}};
  call.options.emplace_back("target", flags.target);
  if (!flags.features.empty()) call.options.emplace_back("features", flags.features);
  if (!flags.bins.empty()) call.options.emplace_back("bins", flags.bins);
  if (!flags.holdout.empty()) call.options.emplace_back("holdout", flags.holdout);
  gateway::Request request{
      .text = flags.rows, .analyst = flags.analyst, .request_id = "", .wish = {}};
  TACIT_TRY(request.wish.epsilon, ReadEpsilon(flags.epsilon));
  if (!flags.out.empty()) TACIT_CHECK(CheckWritable(flags.out));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  request.now = gateway::RoundedNow(services.policy);
  const SaysWhatWasCharged says(interrupt, services.ledger);
  return gateway::learning::LearnCells(call, request, services);
}

int RunLearnCells(const LearnCellsFlags& flags) {
  const Result<gateway::learning::LearnedCells> learned = LearnCellModel(flags);
  if (!learned.ok()) return Report(learned.error());
  std::printf("%s", answer::FormatTable(gateway::learning::AnswerOf(*learned)).c_str());
  for (const std::string& notice : learned->notices) {
    std::fprintf(stderr, "NOTICE:  %s\n", notice.c_str());
  }
  if (!learned->model.fit.known) {
    std::fprintf(stderr, "%s\n", "the rows cannot be told from the noise: nothing was learned");
    return flags.out.empty() ? kExitDone : kExitFailed;
  }
  if (flags.out.empty()) return kExitDone;
  const Result<Done> written = WriteWhole(flags.out, learn::ModelText(learned->model));
  if (!written.ok()) return Report(written.error());
  std::printf("%s: the model; tacit predict %s FILE.csv uses it\n", flags.out.c_str(),
              flags.out.c_str());
  return kExitDone;
}

void AddCellCommand(Command learn, const CellCommand& what) {
  auto flags = std::make_shared<LearnCellsFlags>();
  flags->task = what.task;
  Command command = learn.Subcommand(what.name, what.summary);
  const std::string call = std::string("  tacit learn ") + what.name;
  command.Footer(
      "examples:\n" + call +
      " clinic \"SELECT income > 50000 AS rich, age, sex FROM patients\"\n"
      "      --target rich --epsilon 0.5 --out model.json\n"
      "Numbers are learned in bins of equal width between their declared bounds, texts by their\n"
      "declared lists. The price is charged before a row is read, once: the same model again is\n"
      "free. Without --out nothing is written.\n"
      "exit codes: 0 learned, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command
      .Value("SELECT", flags->rows,
             "the rows to learn from: numbers, booleans, and texts with declared keys")
      .Required();
  command.Value("--target", flags->target, "the column whose classes are told apart")
      .Required()
      .NotEmpty();
  command
      .Value("--features", flags->features,
             "the columns to tell them by, with commas; all others unless given")
      .NotEmpty();
  command.Value("--bins", flags->bins, "at most so many bins of a number; 16 unless given")
      .NotEmpty();
  command
      .Value("--holdout", flags->holdout,
             "the share of the people who are held out of training, for the score: 0.2")
      .NotEmpty();
  command.Value("--epsilon", flags->epsilon, "the price; the policy's unless given").NotEmpty();
  command
      .Value("--analyst", flags->analyst,
             "who asks, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Value("--out", flags->out, "the file to write the model to, JSON").NotEmpty();
  command.Action([flags] { return RunLearnCells(*flags); });
}

}  // namespace

void AddLearnCells(Command learn) {
  for (const CellCommand& what : kCellCommands) AddCellCommand(learn, what);
}

}  // namespace tacit::app
