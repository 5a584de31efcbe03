#include <cstdio>

#include "answer/format/format.h"
#include "gateway/deployment/deployment.h"
#include "gateway/learning/learn.h"
#include "gateway/moment.h"
#include "tacit/learn/learn.h"
#include "tacit/release/release.h"
#include "tacit/terminal/interrupt.h"

// tacit learn linear: a line through rows of people, to be kept and used without them.

namespace tacit::app {
namespace {

struct LearnLinearFlags {
  std::string folder;
  std::string rows;
  std::string target;
  std::string features;
  std::string epsilon;
  std::string analyst;
  std::string out;
};

Result<gateway::learning::LearnedLine> LearnLinear(const LearnLinearFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  sql::LearnCall call{.task = "linear_regression", .rows = flags.rows, .options = {}};
  call.options.emplace_back("target", flags.target);
  if (!flags.features.empty()) call.options.emplace_back("features", flags.features);
  gateway::Request request{
      .text = flags.rows, .analyst = flags.analyst, .request_id = "", .wish = {}};
  TACIT_TRY(request.wish.epsilon, ReadEpsilon(flags.epsilon));
  if (!flags.out.empty()) TACIT_CHECK(CheckWritable(flags.out));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  request.now = gateway::RoundedNow(services.policy);
  const SaysWhatWasCharged says(interrupt, services.ledger);
  return gateway::learning::LearnLine(call, request, services);
}

int RunLearnLinear(const LearnLinearFlags& flags) {
  const Result<gateway::learning::LearnedLine> line = LearnLinear(flags);
  if (!line.ok()) return Report(line.error());
  std::printf("%s", answer::FormatTable(gateway::learning::AnswerOf(*line)).c_str());
  for (const std::string& notice : line->notices) {
    std::fprintf(stderr, "NOTICE:  %s\n", notice.c_str());
  }
  if (flags.out.empty()) return kExitDone;
  if (line->model.fit.trust == learn::Trust::kNothing) {
    std::fprintf(stderr, "no model was written: there is nothing that it could say\n");
    return kExitFailed;
  }
  const Result<Done> written = WriteWhole(flags.out, learn::ModelText(line->model));
  if (!written.ok()) return Report(written.error());
  std::printf("%s: the model; tacit predict %s FILE.csv uses it\n", flags.out.c_str(),
              flags.out.c_str());
  return kExitDone;
}

}  // namespace

void AddLearnLinear(Command learn) {
  auto flags = std::make_shared<LearnLinearFlags>();
  Command command = learn.Subcommand("linear", "linear regression, with honest intervals");
  command.Footer(
      "examples:\n"
      "  tacit learn linear clinic \"SELECT income, age FROM patients\" --target income\n"
      "  tacit learn linear clinic \"SELECT income, age, sex = 'F' AS female FROM patients\"\n"
      "      --target income --epsilon 0.5 --out model.json\n"
      "The price is charged before a row is read, once: every other model of these columns, with\n"
      "any target and any features, is free afterwards. Without --out nothing is written.\n"
      "exit codes: 0 learned, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command
      .Value("SELECT", flags->rows,
             "the rows to learn from: numbers, booleans, and texts with declared keys")
      .Required();
  command.Value("--target", flags->target, "the column to explain").Required().NotEmpty();
  command
      .Value("--features", flags->features,
             "the columns to explain it by, with commas; all others unless given")
      .NotEmpty();
  command.Value("--epsilon", flags->epsilon, "the price; the policy's unless given").NotEmpty();
  command
      .Value("--analyst", flags->analyst,
             "who asks, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Value("--out", flags->out, "the file to write the model to, JSON").NotEmpty();
  command.Action([flags] { return RunLearnLinear(*flags); });
}

}  // namespace tacit::app
