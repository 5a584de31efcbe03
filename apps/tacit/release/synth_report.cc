#include "tacit/release/synth_report.h"

#include <cstdio>

#include "release/report/report.h"
#include "tacit/release/release.h"
#include "tacit/terminal/progress_bar.h"

namespace tacit::app {
namespace {

struct ReportFlags {
  std::string real;
  std::string made;
  std::string html;
};

Result<Done> WriteReport(const ReportFlags& flags) {
  if (!flags.html.empty()) TACIT_CHECK(CheckWritable(flags.html));
  TACIT_TRY(const release::TablePair pair, release::ReadPair(flags.real, flags.made));
  const release::QualityReport report = release::MakeReport(
      pair, Entropy::ForThisThread(),
      [](const std::string& doing, double percent) { DrawProgress(doing, percent); });
  ClearProgress();
  std::fputs(release::ToText(report).c_str(), stdout);
  if (flags.html.empty()) return Done{};
  TACIT_CHECK(WriteWhole(flags.html, release::ToHtml(report)));
  std::printf("the same with charts: %s\n", flags.html.c_str());
  return Done{};
}

}  // namespace

void AddSynthReport(Command synth) {
  Command command =
      synth.Subcommand("report", "for the owner: how good a synthetic file is, from the real rows");
  auto flags = std::make_shared<ReportFlags>();
  command.Value("REAL", flags->real, "the real table, as a CSV or Parquet file").Required();
  command.Value("SYNTH", flags->made, "the synthetic one").Required();
  command.Value("--html", flags->html, "write a page with charts, too").NotEmpty();
  command.Footer(
      "examples:\n"
      "  tacit synth report clinic-files/patients.csv patients.csv --html quality.html\n"
      "The report is computed from the real rows, without noise: it is not for release.");
  command.Action([flags] {
    const Result<Done> done = WriteReport(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
