#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "answer/format/format.h"
#include "answer/shown/margins.h"
#include "answer/shown/plot.h"
#include "gateway/answer_query.h"
#include "gateway/deployment/deployment.h"
#include "gateway/moment.h"
#include "tacit/commands.h"
#include "tacit/terminal/interrupt.h"

// tacit query and tacit explain: one question, as the owner or as an analyst.

namespace tacit::app {
namespace {

struct QueryFlags {
  std::string folder;
  std::string sql;
  std::string epsilon;
  std::string error;
  std::string delta;
  std::string analyst;
  bool intervals = false;
  bool nonnegative = false;
  bool verbose = false;
  bool plot = false;
  std::string format = "table";
};

Result<gateway::Request> RequestOf(const QueryFlags& flags) {
  gateway::Request request{
      .text = flags.sql, .analyst = flags.analyst, .request_id = "", .wish = {}};
  if (!flags.epsilon.empty()) {
    TACIT_TRY(const Rational epsilon, ReadNumber("--epsilon", flags.epsilon));
    TACIT_TRY(request.wish.epsilon, CheckedEpsilon(epsilon, "--epsilon"));
  }
  if (!flags.delta.empty()) {
    TACIT_TRY(const Rational delta, ReadNumber("--delta", flags.delta));
    TACIT_TRY(request.wish.delta, CheckedDelta(delta, "--delta"));
  }
  if (!flags.error.empty()) {
    TACIT_TRY(request.wish.error, plan::ReadErrorWish(flags.error));
  }
  request.wish.intervals = flags.intervals;
  request.wish.nonnegative = flags.nonnegative;
  return request;
}

int PrintAnswer(const std::string& text) {
  const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return good && std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

// As wide as the terminal, in the characters that its locale has.
answer::PlotStyle StyleOfTerminal() {
  answer::PlotStyle style;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = size.ws_col;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* locale = std::getenv(name);
    if (locale == nullptr || *locale == '\0') continue;
    const std::string_view text(locale);
    style.utf8 =
        text.find("UTF-8") != std::string_view::npos || text.find("utf8") != std::string_view::npos;
    return style;
  }
  style.utf8 = false;
  return style;
}

Result<answer::Answer> Ask(const QueryFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  TACIT_TRY(gateway::Request request, RequestOf(flags));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  request.now = gateway::RoundedNow(services.policy);
  const SaysWhatWasCharged says(interrupt, services.ledger);
  return gateway::AnswerQuery(request, services);
}

int RunQuery(const QueryFlags& flags) {
  const Result<answer::Answer> answer = Ask(flags);
  if (!answer.ok()) return Report(answer.error(), flags.sql);
  if (flags.format == "json") return PrintAnswer(answer::FormatJson(*answer));
  const bool csv = flags.format == "csv";
  int code = kExitDone;
  if (flags.plot) {
    const Result<std::string> plot = answer::FormatPlot(*answer, StyleOfTerminal());
    // Paid for already: what cannot be drawn is shown.
    if (!plot.ok()) std::fprintf(stderr, "NOTICE:  %s\n", plot.error().public_message.c_str());
    code = PrintAnswer(plot.ok() ? *plot : answer::FormatTable(*answer));
  } else {
    code = PrintAnswer(csv ? answer::FormatCsv(*answer) : answer::FormatTable(*answer));
  }
  for (const std::string& notice : answer::NoticesOf(*answer)) {
    std::fprintf(stderr, "NOTICE:  %s\n", notice.c_str());
  }
  return code;
}

Result<answer::Explanation> Explain(const QueryFlags& flags) {
  TACIT_TRY(gateway::Request request, RequestOf(flags));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  request.now = gateway::RoundedNow(services.policy);
  return gateway::ExplainQuery(request, services);
}

int RunExplain(const QueryFlags& flags) {
  Result<answer::Explanation> explained = Explain(flags);
  if (!explained.ok()) return Report(explained.error(), flags.sql);
  answer::Explanation explanation = std::move(explained).value();
  explanation.verbose = explanation.verbose || flags.verbose;
  return PrintAnswer(flags.format == "json" ? answer::FormatJson(explanation)
                                            : answer::FormatText(explanation));
}

void AddFlags(Command command, QueryFlags& flags) {
  command.Value("DIR", flags.folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("SQL", flags.sql, "one SELECT, in PostgreSQL's SQL").Required();
  const Flag epsilon =
      command.Value("--epsilon", flags.epsilon, "the price; the policy's unless given").NotEmpty();
  command
      .Value("--error", flags.error,
             "the smallest price whose answer is within this in 95 % of answers: 40, '5 %' of what "
             "is shown, or by columns 'n = 40, share = 2 %'")
      .Excludes(epsilon)
      .NotEmpty();
  command.Value("--delta", flags.delta, "what private group keys may cost; at most the policy's")
      .NotEmpty();
  command
      .Value("--analyst", flags.analyst,
             "who asks, and pays too; without it the owner, and the dataset alone pays")
      .NotEmpty();
  command.Switch("--intervals", flags.intervals, "adds <column>_low and <column>_high");
  command.Switch("--nonnegative", flags.nonnegative,
                 "shows counts, and sums of what is never below zero, as 0 where noise took them "
                 "below");
}

}  // namespace

void AddQueryCommand(Command app) {
  auto flags = std::make_shared<QueryFlags>();
  Command command = app.Subcommand("query", "ask, pay and get a noisy answer");
  command.Footer(
      "examples:\n"
      "  tacit query clinic \"SELECT count(*) FROM patients WHERE disease = 'Flu'\"\n"
      "  tacit query clinic \"SELECT sex, avg(age) FROM patients GROUP BY sex\" --epsilon 0.5\n"
      "  tacit query clinic \"SELECT count(*) FROM patients\" --error 40 --format json\n"
      "The price is charged before a row is read. The same question again is free.\n"
      "exit codes: 0 answered, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  AddFlags(command, *flags);
  command.Value("--format", flags->format, "table, csv or json").OneOf({"table", "csv", "json"});
  command.Switch("--plot", flags->plot, "draws bars, or points over an axis, with error bars");
  command.Action([flags] { return RunQuery(*flags); });
}

void AddExplainCommand(Command app) {
  auto flags = std::make_shared<QueryFlags>();
  Command command = app.Subcommand("explain", "what a query would cost, and how it is run");
  command.Footer(
      "examples:\n"
      "  tacit explain clinic \"SELECT disease, count(*) FROM patients GROUP BY disease\"\n"
      "  tacit explain clinic \"SELECT count(*) FROM patients\" --error 40 --format json\n"
      "Free: charges nothing and reads no protected row.");
  AddFlags(command, *flags);
  command.Value("--format", flags->format, "table or json").OneOf({"table", "json"});
  command.Switch("--verbose", flags->verbose, "with the SQL that the engines are told");
  command.Action([flags] { return RunExplain(*flags); });
}

}  // namespace tacit::app
