#include <algorithm>
#include <cstdio>
#include <thread>

#include "gateway/deployment/deployment.h"
#include "release/publish/publish.h"
#include "tacit/release/release.h"
#include "tacit/release/synth_report.h"
#include "tacit/terminal/progress_bar.h"
#include "tacit/terminal/text_table.h"

// tacit synth: a table that looks like a protected one, to be given away.

namespace tacit::app {
namespace {

struct SynthFlags {
  std::string folder;
  std::string table;
  std::string epsilon;
  std::string delta;
  std::vector<std::string> columns;
  std::string workload = "all-2way";
  std::string method = "auto";
  uint64_t rows = 0;
  std::string out;
};

Result<release::SynthesisRequest> RequestOf(const SynthFlags& flags) {
  if (flags.folder.empty() || flags.table.empty() || flags.out.empty()) {
    return InvalidArgument("a folder, a table and --out are needed",
                           "as in: tacit synth clinic patients --out patients.csv");
  }
  release::SynthesisRequest request{.table = flags.table, .columns = flags.columns};
  TACIT_TRY(request.epsilon, ReadEpsilon(flags.epsilon));
  TACIT_TRY(request.delta, ReadDelta(flags.delta));
  if (flags.method == "direct") request.wish.method = release::Method::kDirect;
  if (flags.workload == "all-3way") {
    if (flags.method == "direct") {
      return InvalidArgument("--method direct knows pairs only",
                             "leave out --method, or ask for --workload all-2way");
    }
    request.wish.workload = release::Workload::kTriples;
  }
  if (flags.rows > 0) request.wish.rows = flags.rows;
  request.wish.threads = std::max(1u, std::thread::hardware_concurrency());
  if (!flags.out.ends_with(".csv")) {
    return InvalidArgument("--out names no CSV file: " + flags.out,
                           "the name has to end with .csv");
  }
  return request;
}

std::string Digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

void PrintSheet(const release::SynthesisPlan& plan, const SynthFlags& flags) {
  std::printf("%s, %zu columns: epsilon %s, delta %s for the whole release, rho %s inside\n\n",
              flags.table.c_str(), plan.attributes.size(),
              ToString(plan.price.epsilon.value).c_str(), ToString(plan.price.delta.value).c_str(),
              Digits(plan.price.rho.value.get_d()).c_str());
  TextTable sheet({"step", "share", "noise"});
  for (const release::SheetLine& line : plan.sheet) {
    const Rational share = line.rho / plan.price.rho.value * 100;
    sheet.Add({line.step, Digits(share.get_d()) + " %", line.noise});
  }
  std::printf("%s\n", sheet.Text().c_str());
  std::fflush(stdout);
}

// What the numbers of the run mean, from released values alone.
void PrintSummary(const release::SyntheticFile& file) {
  const release::RunSummary& run = file.table.summary;
  if (file.rows() == 0) {
    std::printf("the noisy number of rows is 0: the file has a header and nothing else\n");
  }
  if (run.pairs == 0) return;
  std::printf("noise of a cell of two columns: %s to %s rows; of a histogram: %s rows\n",
              Digits(run.pair_sigma_least).c_str(), Digits(run.pair_sigma_most).c_str(),
              Digits(run.histogram_sigma).c_str());
  std::printf(
      "distance from what was measured, per cell, in variances of the noise: %s "
      "(the truth has about 1; independent columns have %s)\n",
      Digits(run.chi_square).c_str(), Digits(run.chi_square_independent).c_str());
  if (run.dependence < 2 * run.dependence_noise) {
    std::printf(
        "NOTE: nothing was found that the columns have to do with each other: at this "
        "epsilon the rows are no better than independent columns\n");
  }
}

Result<Done> Synthesize(const SynthFlags& flags) {
  TACIT_TRY(const release::SynthesisRequest request, RequestOf(flags));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  TACIT_TRY(const release::SynthesisPlan plan, release::PlanSynthesis(request, services));
  TACIT_CHECK(CheckWritable(flags.out));
  PrintSheet(plan, flags);
  const auto progress = [](const std::string& doing, double percent) {
    DrawProgress(doing, std::min(percent, 99.0));
  };
  Result<release::Published> published =
      release::PublishSynthetic(plan, flags.table, services, progress);
  ClearProgress();
  TACIT_TRY(const release::Published done, std::move(published));
  TACIT_CHECK(WriteWhole(flags.out, release::ToCsv(done.file, plan.attributes)));
  const bool zcdp = deployment->policy().privacy.accounting == policy::Accounting::kZcdp;
  PrintReceipt(plan.price, zcdp, done.receipt.charged(), done.receipt.name);
  std::printf("%s: %zu rows (the table has about %.0f)\n", flags.out.c_str(), done.file.rows(),
              done.file.table.summary.rows_estimated);
  PrintSummary(done.file);
  return Done{};
}

}  // namespace

void AddSynthCommand(Command app) {
  Command command = app.Subcommand("synth", "publish a table that looks like a protected one");
  auto flags = std::make_shared<SynthFlags>();
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file");
  command.Value("TABLE", flags->table, "the table");
  command
      .Value("--epsilon", flags->epsilon, "of the whole release; the policy's price unless given")
      .NotEmpty();
  command.Value("--delta", flags->delta, "of the whole release; the policy's unless given")
      .NotEmpty();
  command.Value("--columns", flags->columns, "which to release; all that can be seen unless given")
      .Commas();
  command
      .Value("--workload", flags->workload,
             "what the rows shall be good for: tables of two columns, or of three")
      .OneOf({"all-2way", "all-3way"})
      .ShowsDefault();
  command
      .Value("--method", flags->method,
             "mixture (auto): a model is fitted; direct: rows are fitted without one")
      .OneOf({"auto", "mixture", "direct"})
      .ShowsDefault();
  command.Value("--rows", flags->rows, "how many; about as many as the table has unless given");
  command.Value("--out", flags->out, "the CSV file to write").NotEmpty();
  command.Footer(
      "examples:\n"
      "  tacit synth clinic patients --epsilon 1 --out patients.csv\n"
      "  tacit synth clinic visits --columns department,cost --epsilon 0.5 --out visits.csv\n"
      "  tacit synth report real.csv patients.csv     # for the owner: how good it is\n"
      "One charge, made before a row is read. The same release again is free and the same.\n"
      "Numbers need bounds in the policy, and texts and dates a list of keys: what values there\n"
      "are is never taken from the rows. Rows with a text that is not on its list are left out.\n"
      "exit codes: 0 written, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  AddSynthReport(command);
  command.Action([flags] {
    const Result<Done> done = Synthesize(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
