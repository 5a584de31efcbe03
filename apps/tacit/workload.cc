#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "answer/format/format.h"
#include "answer/shown/margins.h"
#include "gateway/deployment/deployment.h"
#include "gateway/moment.h"
#include "gateway/workload/buy.h"
#include "gateway/workload/read_workload.h"
#include "tacit/commands.h"
#include "tacit/terminal/interrupt.h"

// tacit workload: many questions, planned together, paid for at once.

namespace tacit::app {
namespace {

struct WorkloadFlags {
  std::string folder;
  std::string file;
  std::string epsilon;
  std::string error;
  std::string analyst;
  bool explain = false;
  std::string format = "table";
};

Result<std::string> ReadQuestions(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    return InvalidArgument("cannot read " + path, "name a file with SELECTs, with ; between them");
  }
  return text.str();
}

Result<answer::Answer> Buy(const WorkloadFlags& flags, const std::string& text) {
  Interrupt interrupt("stopped; nothing was charged");
  gateway::Request base{.text = "", .analyst = flags.analyst, .request_id = "", .wish = {}};
  std::optional<Epsilon> total;
  if (!flags.epsilon.empty()) {
    TACIT_TRY(const Rational epsilon, ReadNumber("--epsilon", flags.epsilon));
    TACIT_TRY(total, CheckedEpsilon(epsilon, "--epsilon"));
  }
  if (!flags.error.empty()) {
    TACIT_TRY(base.wish.error, plan::ReadErrorWish(flags.error));
  }
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  base.now = gateway::RoundedNow(services.policy);
  TACIT_TRY(const std::vector<gateway::Request> questions,
            gateway::workload::ReadWorkload(text, base));
  const SaysWhatWasCharged says(interrupt, services.ledger);
  TACIT_TRY(const gateway::workload::Bought bought,
            flags.explain ? gateway::workload::QuoteWorkload(questions, total, services)
                          : gateway::workload::BuyWorkload(questions, total, services));
  return gateway::workload::AnswerOf(bought);
}

int RunWorkload(const WorkloadFlags& flags) {
  const Result<std::string> text = ReadQuestions(flags.file);
  if (!text.ok()) return Report(text.error());
  const Result<answer::Answer> answer = Buy(flags, *text);
  if (!answer.ok()) return Report(answer.error(), *text);
  const std::string shown = flags.format == "json"  ? answer::FormatJson(*answer)
                            : flags.format == "csv" ? answer::FormatCsv(*answer)
                                                    : answer::FormatTable(*answer);
  const bool good = std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size();
  if (flags.format != "json") {
    for (const std::string& notice : answer::NoticesOf(*answer)) {
      std::fprintf(stderr, "NOTICE:  %s\n", notice.c_str());
    }
  }
  return good && std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddWorkloadCommand(Command app) {
  auto flags = std::make_shared<WorkloadFlags>();
  Command command =
      app.Subcommand("workload", "buy many questions at once, for less than one by one");
  command.Footer(
      "examples:\n"
      "  tacit workload clinic questions.sql --error 30 --explain\n"
      "  tacit workload clinic questions.sql --epsilon 1\n"
      "The file holds SELECTs with ; between them; SET tacit.error = '30' or SET tacit.epsilon =\n"
      "0.1 holds for the questions behind it. All are planned together, charged at once or not at\n"
      "all, and free afterwards, from any client.\n"
      "exit codes: 0 bought, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("FILE", flags->file, "the questions").Required();
  const Flag epsilon =
      command.Value("--epsilon", flags->epsilon, "the price of all of them together").NotEmpty();
  command
      .Value("--error", flags->error,
             "what numbers may be off by in 95 % of answers, where the file does not say it: 40, "
             "or by columns 'n = 40, v = 1.2'; averages as if 1,000 people match")
      .Excludes(epsilon)
      .NotEmpty();
  command
      .Value("--analyst", flags->analyst,
             "who buys, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Switch("--explain", flags->explain, "says what it would cost, and buys nothing");
  command.Value("--format", flags->format, "table, csv or json").OneOf({"table", "csv", "json"});
  command.Action([flags] { return RunWorkload(*flags); });
}

}  // namespace tacit::app
