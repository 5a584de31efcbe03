#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "gateway/deployment/deployment.h"
#include "release/publish/file/tables_files.h"
#include "tacit/release/release.h"
#include "tacit/terminal/interrupt.h"
#include "tacit/terminal/progress_bar.h"

// tacit tables: noisy tables that agree with each other, to be given away.

namespace tacit::app {
namespace {

struct TablesFlags {
  std::string folder;
  std::string table;
  std::string of;
  std::string epsilon;
  std::string delta;
  std::string out;
};

// A new folder, or one that is there and empty: nothing of an earlier release stays beside this
// one.
Result<Done> MakeFolder(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (!failure && !std::filesystem::is_empty(path, failure) && !failure) {
    return InvalidArgument("the folder " + path + " is not empty", "name a new one with --out");
  }
  if (failure) return InvalidArgument("cannot use " + path + ": " + failure.message());
  return CheckWritable(path + "/tables.json");
}

Result<Done> WriteTables(const TablesFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  release::TablesRequest request{.table = flags.table, .tables = {}};
  TACIT_TRY(request.tables, release::ReadTables(flags.of));
  TACIT_TRY(request.epsilon, ReadEpsilon(flags.epsilon));
  TACIT_TRY(request.delta, ReadDelta(flags.delta));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  const SaysWhatWasCharged says(interrupt, services.ledger);
  TACIT_TRY(const release::TablesPlan plan, release::PlanTables(request, services));
  TACIT_CHECK(MakeFolder(flags.out));
  const auto progress = [](const std::string& doing, double percent) {
    DrawProgress(doing, std::min(percent, 99.0));
  };
  Result<release::PublishedTables> published =
      release::PublishTables(plan, flags.table, services, progress);
  ClearProgress();
  TACIT_TRY(const release::PublishedTables done, std::move(published));
  for (const release::NamedFile& file : release::FilesOf(plan, flags.table, done)) {
    TACIT_CHECK(WriteWhole(flags.out + "/" + file.name, file.content));
  }
  const bool zcdp = deployment->policy().privacy.accounting == policy::Accounting::kZcdp;
  PrintReceipt(plan.price, zcdp, done.receipt.charged(), done.receipt.name);
  std::printf("%s: %zu tables of %llu rows, described in tables.json\n", flags.out.c_str(),
              plan.tables.size(), static_cast<unsigned long long>(done.released.rows));
  PrintShown(plan.attributes, done.attributes);
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    std::printf("table_%zu.csv: 95 %% of counts were measured within %.0f of the truth\n", t + 1,
                1.96 * done.released.tables[t].sigma + 0.5);
  }
  return Done{};
}

}  // namespace

void AddTablesCommand(Command app) {
  Command command = app.Subcommand("tables", "publish noisy tables that agree with each other");
  auto flags = std::make_shared<TablesFlags>();
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("TABLE", flags->table, "the table").Required();
  command.Value("--of", flags->of, "the columns of each table: \"age,sex; sex,region\"")
      .Required()
      .NotEmpty();
  command
      .Value("--epsilon", flags->epsilon, "of the whole release; the policy's price unless given")
      .NotEmpty();
  command.Value("--delta", flags->delta, "of the whole release; the policy's unless given")
      .NotEmpty();
  command.Value("--out", flags->out, "the folder to write, new or empty").Required().NotEmpty();
  command.Footer(
      "examples:\n"
      "  tacit tables clinic patients --of \"age,sex; sex,zipcode\" --epsilon 0.5 --out tables\n"
      "Counts are whole numbers, none negative; totals agree, and so does what tables share.\n"
      "One charge, made before a row is read. The same tables again are free and the same.");
  command.Action([flags] {
    const Result<Done> done = WriteTables(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
