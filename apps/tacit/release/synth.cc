#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

#include "gateway/deployment/deployment.h"
#include "release/publish/answers.h"
#include "release/publish/file/parquet.h"
#include "release/publish/publish_family.h"
#include "tacit/release/release.h"
#include "tacit/release/synth_report.h"
#include "tacit/terminal/interrupt.h"
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
  uint64_t rows_per_unit = 0;
  std::string out;
  std::string children;
  std::vector<std::string> children_columns;
  std::string children_out;
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
  if (flags.method == "adaptive") request.wish.method = release::Method::kAdaptive;
  if (flags.method == "mwem") request.wish.method = release::Method::kMwem;
  if (flags.workload != "all-2way") {
    if (flags.method == "direct") {
      return InvalidArgument("--method direct knows pairs only",
                             "leave out --method, or ask for --workload all-2way");
    }
    const bool triples = flags.workload == "all-3way";
    request.wish.workload = triples ? release::Workload::kTriples : release::Workload::kQueries;
    if (!triples) {
      request.workload_file = flags.workload;
      TACIT_TRY(request.workload, ReadWhole(flags.workload));
    }
  }
  if (flags.rows > 0) request.wish.rows = flags.rows;
  if (flags.rows_per_unit > 0) {
    request.rows_per_unit =
        static_cast<int64_t>(std::min<uint64_t>(flags.rows_per_unit, INT64_MAX));
  }
  request.wish.threads = std::max(1u, std::thread::hardware_concurrency());
  if (!flags.out.ends_with(".csv") && !flags.out.ends_with(".parquet")) {
    return InvalidArgument("--out names no CSV or Parquet file: " + flags.out,
                           "the name has to end with .csv or .parquet");
  }
  return request;
}

std::string Digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

void PrintSheet(const release::SynthesisPlan& plan, const SynthFlags& flags) {
  std::printf("%s, %zu column%s: epsilon %s, delta %s for the whole release, rho %s inside\n\n",
              flags.table.c_str(), plan.attributes.size(), plan.attributes.size() == 1 ? "" : "s",
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

constexpr double kNormalAt95 = 1.96;

void PrintError(const release::RunSummary& run) {
  std::printf("error of the pairs of these rows, mean total variation: %s, give or take %s\n",
              Digits(run.error).c_str(), Digits(kNormalAt95 * run.error_noise).c_str());
}

std::string Exactly(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", std::round(number * 100) / 100);
  return text;
}

void PrintAnswers(const std::vector<release::QueryAnswer>& answers) {
  if (answers.empty()) return;
  TextTable table({"query", "in these rows", "counted with noise"});
  for (const release::QueryAnswer& answer : answers) {
    const std::string counted =
        answer.counted ? Exactly(*answer.counted) + " +- " + Exactly(answer.margin) : "";
    table.Add({answer.text, Exactly(answer.rows), counted});
  }
  std::printf("%s", table.Text().c_str());
}

// What the numbers of the run mean, from released values alone.
void PrintSummary(const release::SyntheticFile& file) {
  const release::RunSummary& run = file.table.summary;
  if (file.rows() == 0) {
    std::printf("the noisy number of rows is 0: the file has a header and nothing else\n");
  }
  if (run.pairs == 0) {
    if (run.error_noise > 0) PrintError(run);
    return;
  }
  std::printf("noise of a cell of two columns: %s to %s rows; of a histogram: %s rows\n",
              Digits(run.pair_sigma_least).c_str(), Digits(run.pair_sigma_most).c_str(),
              Digits(run.histogram_sigma).c_str());
  std::printf(
      "distance from what was measured, per cell, in variances of the noise: %s "
      "(the truth has about 1; independent columns have %s)\n",
      Digits(run.chi_square).c_str(), Digits(run.chi_square_independent).c_str());
  if (run.error_noise > 0) PrintError(run);
  if (run.dependence < 2 * run.dependence_noise) {
    std::printf(
        "NOTE: nothing was found that the columns have to do with each other: at this "
        "epsilon the rows are no better than independent columns\n");
  }
}

// What was there before stays until everything is on the disk.
Result<Done> WriteRows(const std::string& path, const release::SyntheticFile& file,
                       const std::vector<release::Attribute>& attributes) {
  const std::string csv = release::ToCsv(file, attributes);
  if (path.ends_with(".csv")) return WriteWhole(path, csv);
  const std::string rows = DraftOf(path) + ".csv";
  const std::string draft = DraftOf(path) + ".parquet";
  TACIT_CHECK(WriteWhole(rows, csv));
  const Result<Done> written = release::WriteParquet(rows, attributes, draft);
  (void)std::remove(rows.c_str());
  TACIT_CHECK(written);
  return PutInPlace(draft, path);
}

void Advance(const std::string& doing, double percent) {
  DrawProgress(doing, std::min(percent, 99.0));
}

// Parents and their children, in two files.
Result<Done> SynthesizeFamily(const SynthFlags& flags, const release::SynthesisRequest& request,
                              Interrupt& interrupt) {
  if (!flags.out.ends_with(".csv") || !flags.children_out.ends_with(".csv")) {
    return InvalidArgument("two tables are written as CSV files",
                           "as in: --out patients.csv --children visits --children-out visits.csv");
  }
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  const SaysWhatWasCharged says(interrupt, services.ledger);
  const release::FamilyRequest both{
      .parent = request, .child = flags.children, .child_columns = flags.children_columns};
  TACIT_TRY(const release::FamilyPlan plan, release::PlanFamily(both, services));
  TACIT_CHECK(CheckWritable(flags.out));
  TACIT_CHECK(CheckWritable(flags.children_out));
  PrintSheet(plan.parent, flags);
  Result<release::PublishedFamily> published = release::PublishFamily(plan, services, Advance);
  ClearProgress();
  TACIT_TRY(const release::PublishedFamily done, std::move(published));
  TACIT_CHECK(WriteWhole(flags.out, release::ParentsCsv(plan, done)));
  TACIT_CHECK(WriteWhole(flags.children_out, release::ChildrenCsv(plan, done)));
  const bool zcdp = deployment->policy().privacy.accounting == policy::Accounting::kZcdp;
  PrintReceipt(plan.parent.price, zcdp, done.receipt.charged(), done.receipt.name);
  std::printf("%s: %zu rows\n", flags.out.c_str(), done.parents.rows());
  PrintShown(plan.parent.attributes, done.parent_attributes);
  PrintSummary(done.parents);
  std::printf("%s: %zu rows (about %.0f count within the caps)\n", flags.children_out.c_str(),
              done.children.rows(), done.children.table.summary.rows_estimated);
  PrintShown(plan.OwnOfChild(), done.child_attributes);
  PrintSummary(done.children);
  return Done{};
}

Result<Done> Synthesize(const SynthFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  TACIT_TRY(const release::SynthesisRequest request, RequestOf(flags));
  if (!flags.children.empty()) return SynthesizeFamily(flags, request, interrupt);
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  const SaysWhatWasCharged says(interrupt, services.ledger);
  TACIT_TRY(const release::SynthesisPlan plan, release::PlanSynthesis(request, services));
  TACIT_CHECK(CheckWritable(flags.out));
  PrintSheet(plan, flags);
  Result<release::Published> published =
      release::PublishSynthetic(plan, flags.table, services, Advance);
  ClearProgress();
  TACIT_TRY(const release::Published done, std::move(published));
  TACIT_CHECK(WriteRows(flags.out, done.file, done.attributes));
  const bool zcdp = deployment->policy().privacy.accounting == policy::Accounting::kZcdp;
  PrintReceipt(plan.price, zcdp, done.receipt.charged(), done.receipt.name);
  std::printf("%s: %zu rows (the table has about %.0f)\n", flags.out.c_str(), done.file.rows(),
              done.file.table.summary.rows_estimated);
  PrintShown(plan.attributes, done.attributes);
  PrintSummary(done.file);
  PrintAnswers(release::AnswersOf(plan, done));
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
             "what the rows shall be good for: all-2way, all-3way, or a file with a query a line")
      .ShowsDefault();
  command
      .Value("--method", flags->method,
             "mixture (auto): a model is fitted; direct: rows are fitted without one;\n"
             "adaptive, mwem: in rounds, the table with the largest error in each")
      .OneOf({"auto", "mixture", "direct", "adaptive", "mwem"})
      .ShowsDefault();
  command.Value("--rows", flags->rows, "how many; about as many as the table has unless given");
  command.Value(
      "--rows-per-unit", flags->rows_per_unit,
      "one person counts for so many rows at most, less than the policy lets: less noise;\n"
      "all rows count, those of people with more for less");
  command.Value("--out", flags->out, "the file to write: .csv or .parquet").NotEmpty();
  command
      .Value("--children", flags->children,
             "a table whose rows belong to rows of TABLE: made together, for one price")
      .NotEmpty();
  command.Value("--children-columns", flags->children_columns, "which of its columns").Commas();
  command.Value("--children-out", flags->children_out, "the file for its rows").NotEmpty();
  command.Footer(
      "examples:\n"
      "  tacit synth clinic patients --epsilon 1 --out patients.csv\n"
      "  tacit synth clinic visits --columns department,cost --epsilon 0.5 --out visits.csv\n"
      "  tacit synth clinic patients --columns age,sex --out patients.csv --children visits \\\n"
      "      --children-out visits.csv\n"
      "  tacit synth report real.csv patients.csv     # for the owner: how good it is\n"
      "One charge, made before a row is read. The same release again is free and the same.\n"
      "Numbers need bounds in the policy and dates months. Rows with a text that is not on its\n"
      "list are left out; of texts without a list those are shown that enough people have.\n"
      "a workload file:  age, sex, zipcode\n"
      "                  count where age < 25 and sex = 'F'\n"
      "                  average income where age between 30 and 40\n"
      "exit codes: 0 written, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  AddSynthReport(command);
  command.Action([flags] {
    const Result<Done> done = Synthesize(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
