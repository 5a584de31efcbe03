#include "gateway/learning/kmeans.h"

#include <cstdio>

#include "answer/format/format.h"
#include "gateway/deployment/deployment.h"
#include "gateway/moment.h"
#include "tacit/learn/learn.h"
#include "tacit/release/release.h"
#include "tacit/terminal/interrupt.h"

// tacit learn kmeans: groups of people's rows by their centres.

namespace tacit::app {
namespace {

struct LearnKmeansFlags {
  std::string folder;
  std::string rows;
  std::string centres;
  std::string epsilon;
  std::string analyst;
  std::string out;
};

Result<gateway::learning::LearnedCentres> LearnKmeans(const LearnKmeansFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  sql::LearnCall call{.task = gateway::learning::kKmeansTask, .rows = flags.rows, .options = {}};
  if (!flags.centres.empty()) call.options.emplace_back("k", flags.centres);
  gateway::Request request{
      .text = flags.rows, .analyst = flags.analyst, .request_id = "", .wish = {}};
  TACIT_TRY(request.wish.epsilon, ReadEpsilon(flags.epsilon));
  if (!flags.out.empty()) TACIT_CHECK(CheckWritable(flags.out));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  request.now = gateway::RoundedNow(services.policy);
  const SaysWhatWasCharged says(interrupt, services.ledger);
  return gateway::learning::LearnCentres(call, request, services);
}

int RunLearnKmeans(const LearnKmeansFlags& flags) {
  const Result<gateway::learning::LearnedCentres> learned = LearnKmeans(flags);
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

}  // namespace

void AddLearnKmeans(Command learn) {
  auto flags = std::make_shared<LearnKmeansFlags>();
  Command command = learn.Subcommand("kmeans", "k-means: groups of rows by their centres");
  command.Footer(
      "examples:\n"
      "  tacit learn kmeans clinic \"SELECT age, income FROM patients\" --k 3\n"
      "      --epsilon 0.5 --out groups.json\n"
      "Distances are measured with each column divided by half of its declared range. The price "
      "is\n"
      "charged before a row is read, once: the same centres again are free. Without --out nothing\n"
      "is written.\n"
      "exit codes: 0 learned, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("SELECT", flags->rows, "the rows to group: numbers and booleans").Required();
  command.Value("--k", flags->centres, "how many centres, 2 to 50; 5 unless given").NotEmpty();
  command.Value("--epsilon", flags->epsilon, "the price; the policy's unless given").NotEmpty();
  command
      .Value("--analyst", flags->analyst,
             "who asks, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Value("--out", flags->out, "the file to write the model to, JSON").NotEmpty();
  command.Action([flags] { return RunLearnKmeans(*flags); });
}

}  // namespace tacit::app
