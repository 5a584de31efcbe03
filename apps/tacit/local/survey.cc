#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/whole_file.h"
#include "local/reports/report_file.h"
#include "local/survey/service.h"
#include "page.h"
#include "tacit/commands.h"
#include "tacit/local/local.h"
#include "wire/http/server.h"

namespace tacit::app {
namespace {

struct SurveyFlags {
  std::string file;
  std::string http;
  uint32_t tokens = 0;
  std::string export_question;
};

Result<local::Survey> LoadSurvey(const std::string& path) {
  const std::optional<std::string> text = WholeFile(path);
  if (!text) return InvalidArgument("cannot read " + path);
  return local::ParseSurvey(*text, path);
}

std::string StoragePath(const SurveyFlags& flags, const local::Survey& survey) {
  return (std::filesystem::path(flags.file).parent_path() / survey.storage).string();
}

Result<Done> Serve(const SurveyFlags& flags, const local::Survey& survey) {
  TACIT_TRY(const std::unique_ptr<local::SurveyService> service,
            local::SurveyService::Open(survey, StoragePath(flags, survey), survey_page::Files()));
  // Everybody is a stranger here, and behind a proxy all of them share its address.
  const wire::http::Options options{.limits = {.guests = {.strangers_max = 1024,
                                                          .of_address_max = 512,
                                                          .strangers_of_address_max = 512}}};
  TACIT_TRY(
      const std::unique_ptr<wire::http::Server> server,
      wire::http::Server::Listen(flags.http, options,
                                 [&](const wire::http::Request& request) -> wire::http::Response {
                                   return service->Handle(request);
                                 }));
  std::fprintf(stderr, "%zu questions, epsilon %s of at most %s together; listening on port %u\n",
               survey.questions.size(), ToString(local::TotalEpsilon(survey).value).c_str(),
               ToString(survey.epsilon_max).c_str(), unsigned{server->port()});
  const std::string host = flags.http.substr(0, flags.http.rfind(':'));
  std::printf("people answer at  http://%s:%u/\nresults are at    http://%s:%u%s   (%s)\n",
              host.c_str(), unsigned{server->port()}, host.c_str(), unsigned{server->port()},
              service->results_path().c_str(),
              survey.results_for_all ? "for everybody" : "for you alone: the address is the key");
  std::fflush(stdout);
  server->Run();
  return Done{};
}

Result<Done> PrintTokens(const SurveyFlags& flags, const local::Survey& survey) {
  if (!survey.tokens) {
    return InvalidArgument("this survey has no tokens", "write `tokens: true` into " + flags.file);
  }
  TACIT_TRY(const std::unique_ptr<local::ReportStore> store,
            local::ReportStore::Open(StoragePath(flags, survey), survey));
  TACIT_TRY(const std::vector<std::string> tokens,
            store->MakeTokens(flags.tokens, Entropy::ForThisThread()));
  for (const std::string& token : tokens) std::printf("%s\n", token.c_str());
  return Done{};
}

Result<Done> Export(const SurveyFlags& flags, const local::Survey& survey) {
  const auto question = std::find_if(
      survey.questions.begin(), survey.questions.end(),
      [&](const local::Question& candidate) { return candidate.id == flags.export_question; });
  if (question == survey.questions.end()) {
    return InvalidArgument("there is no question \"" + flags.export_question + "\"");
  }
  TACIT_TRY(const std::unique_ptr<local::ReportStore> store,
            local::ReportStore::Open(StoragePath(flags, survey), survey));
  std::string text = local::OpeningLines({.design = question->design, .values = question->options});
  uint64_t reports = 0;
  TACIT_CHECK(store->ForEach([&](std::string_view id, std::string_view report) -> Result<Done> {
    if (id != question->id) return Done{};
    text += report;
    text += '\n';
    ++reports;
    return Done{};
  }));
  text += local::ClosingLine(reports);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return InvalidArgument("the reports could not be written");
  }
  return Done{};
}

Result<Done> RunSurvey(const SurveyFlags& flags) {
  TACIT_TRY(const local::Survey survey, LoadSurvey(flags.file));
  const int wishes = !flags.http.empty() + (flags.tokens > 0) + !flags.export_question.empty();
  if (wishes != 1) {
    return InvalidArgument("one of --http, --tokens and --export is needed");
  }
  if (flags.tokens > 0) return PrintTokens(flags, survey);
  if (!flags.export_question.empty()) return Export(flags, survey);
  return Serve(flags, survey);
}

}  // namespace

void AddLocalSurvey(Command local) {
  auto flags = std::make_shared<SurveyFlags>();
  Command command = local.Subcommand(
      "survey", "Serve a survey whose answers never leave people's browsers unrandomised");
  command.Value("survey", flags->file, "The survey's YAML file").Required();
  command.Value("--http", flags->http, "Serve the page at HOST:PORT");
  command.Value("--tokens", flags->tokens, "Make so many tokens and print them, one a line");
  command.Value("--export", flags->export_question,
                "Print a question's reports as a file for `tacit local estimate`");
  command.Footer("Example:\n  tacit local survey survey.yaml --http 127.0.0.1:8080");
  command.Action([flags] {
    const Result<Done> done = RunSurvey(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
