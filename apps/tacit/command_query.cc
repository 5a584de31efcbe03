#include <cstdio>
#include <memory>

#include "answer/format.h"
#include "commands.h"
#include "gateway/answer_query.h"
#include "gateway/deployment.h"

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
    TACIT_TRY(const Rational error, ReadNumber("--error", flags.error));
    if (error <= 0) return InvalidArgument("--error must be above 0, not " + flags.error);
    request.wish.error = error;
  }
  request.wish.intervals = flags.intervals;
  return request;
}

int Print(const std::string& text) {
  const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return good && std::fflush(stdout) == 0 ? kExitDone : kExitFailed;
}

Result<answer::Answer> Ask(const QueryFlags& flags) {
  TACIT_TRY(const gateway::Request request, RequestOf(flags));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  return gateway::AnswerQuery(request, services);
}

int RunQuery(const QueryFlags& flags) {
  const Result<answer::Answer> answer = Ask(flags);
  if (!answer.ok()) return Report(answer.error(), flags.sql);
  if (flags.format == "json") return Print(answer::FormatJson(*answer));
  const bool csv = flags.format == "csv";
  const int code = Print(csv ? answer::FormatCsv(*answer) : answer::FormatTable(*answer));
  for (const std::string& notice : answer->notices) {
    std::fprintf(stderr, "NOTICE:  %s\n", notice.c_str());
  }
  return code;
}

Result<answer::Explanation> Explain(const QueryFlags& flags) {
  TACIT_TRY(const gateway::Request request, RequestOf(flags));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::Open(flags.folder));
  gateway::Services services = deployment->ForThisThread();
  return gateway::ExplainQuery(request, services);
}

int RunExplain(const QueryFlags& flags) {
  const Result<answer::Explanation> explanation = Explain(flags);
  if (!explanation.ok()) return Report(explanation.error(), flags.sql);
  return Print(flags.format == "json" ? answer::FormatJson(*explanation)
                                      : answer::FormatText(*explanation));
}

// `--epsilon "$E"` with E unset must not mean the default price.
std::string ComplainIfEmpty(const std::string& text) { return text.empty() ? "needs a value" : ""; }

void AddFlags(CLI::App& command, QueryFlags& flags) {
  command.add_option("DIR", flags.folder, "the folder with tacit.yaml, or the policy file")
      ->required();
  command.add_option("SQL", flags.sql, "one SELECT, in PostgreSQL's SQL")->required();
  CLI::Option* epsilon =
      command.add_option("--epsilon", flags.epsilon, "the price; the policy's unless given")
          ->check(ComplainIfEmpty);
  command
      .add_option("--error", flags.error,
                  "the smallest price whose noise stays within this in 95 % of answers")
      ->excludes(epsilon)
      ->check(ComplainIfEmpty);
  command
      .add_option("--delta", flags.delta, "what private group keys may cost; at most the policy's")
      ->check(ComplainIfEmpty);
  command
      .add_option("--analyst", flags.analyst,
                  "who asks, and pays too; without it the owner, and the dataset alone pays")
      ->check(ComplainIfEmpty);
  command.add_flag("--intervals", flags.intervals, "adds <column>_low and <column>_high");
}

}  // namespace

void AddQueryCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<QueryFlags>();
  CLI::App* command = app.add_subcommand("query", "ask, pay and get a noisy answer");
  command->footer(
      "examples:\n"
      "  tacit query clinic \"SELECT count(*) FROM patients WHERE disease = 'Flu'\"\n"
      "  tacit query clinic \"SELECT sex, avg(age) FROM patients GROUP BY sex\" --epsilon 0.5\n"
      "  tacit query clinic \"SELECT count(*) FROM patients\" --error 40 --format json\n"
      "The price is charged before a row is read. The same question again is free.\n"
      "exit codes: 0 answered, 2 wrong flags or policy, 3 not accepted, 4 budget exhausted,\n"
      "            5 engine or ledger unavailable, 1 anything else");
  AddFlags(*command, *flags);
  command->add_option("--format", flags->format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}));
  command->callback([flags, &exit_code] { exit_code = RunQuery(*flags); });
}

void AddExplainCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<QueryFlags>();
  CLI::App* command = app.add_subcommand("explain", "what a query would cost, and how it is run");
  command->footer(
      "examples:\n"
      "  tacit explain clinic \"SELECT disease, count(*) FROM patients GROUP BY disease\"\n"
      "  tacit explain clinic \"SELECT count(*) FROM patients\" --error 40 --format json\n"
      "Free: charges nothing and reads no protected row.");
  AddFlags(*command, *flags);
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->callback([flags, &exit_code] { exit_code = RunExplain(*flags); });
}

}  // namespace tacit::app
