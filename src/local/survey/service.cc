#include "local/survey/service.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "local/estimate/estimate.h"
#include "local/reports/report_text.h"
#include "local/survey/random_name.h"

namespace tacit::local {
namespace {

using Json = nlohmann::ordered_json;
using wire::http::IsCrossSite;
using wire::http::Problem;
using wire::http::Request;
using wire::http::Response;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Response JsonResponse(unsigned status, std::string body) {
  return {.status = status, .content_type = "application/json", .body = std::move(body)};
}

void AddSecurityHeaders(Response& response) {
  const std::pair<const char*, const char*> fixed[] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
       "img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Permissions-Policy", "geolocation=(), camera=(), microphone=()"},
      {"Cache-Control", "no-store"}};
  for (const auto& [name, value] : fixed) response.headers.emplace_back(name, value);
}

}  // namespace

SurveyService::SurveyService(Survey survey, std::unique_ptr<ReportStore> store,
                             std::span<const PageFile> pages)
    : survey_(std::move(survey)),
      fingerprint_(FingerprintOf(survey_)),
      survey_json_(Dump(SurveyToJson(survey_))),
      seeds_(SeedsOf(survey_)),
      store_(std::move(store)),
      pages_(pages),
      rate_limit_(survey_.posts_per_minute),
      results_path_(survey_.results_for_all ? "/results"
                                            : "/results/" + RandomName(Entropy::ForThisThread())) {
  for (const Question& question : survey_.questions) tallies_.emplace_back(question.design);
}

Result<std::unique_ptr<SurveyService>> SurveyService::Open(Survey survey,
                                                           const std::string& store_path,
                                                           std::span<const PageFile> pages) {
  TACIT_TRY(std::unique_ptr<ReportStore> store, ReportStore::Open(store_path, survey));
  std::unique_ptr<SurveyService> service(
      new SurveyService(std::move(survey), std::move(store), pages));
  SurveyService& s = *service;
  TACIT_CHECK(s.store_->ForEach([&](std::string_view id, std::string_view text) -> Result<Done> {
    Report report;
    for (size_t q = 0; q < s.survey_.questions.size(); ++q) {
      if (s.survey_.questions[q].id != id) continue;
      if (!ParseReport(s.survey_.questions[q].design, s.seeds_[q], text, report)) break;
      return s.tallies_[q].Add(report);
    }
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = store_path + " holds a report that no answer can give",
                 .hint = "the file was changed by something else; restore it from a backup",
                 .position = std::nullopt,
                 .private_detail = ""};
  }));
  return service;
}

Response SurveyService::Handle(const Request& request) {
  Response response = Route(request);
  AddSecurityHeaders(response);
  return response;
}

Response SurveyService::Route(const Request& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.path == "/api/reports") {
    if (request.method == "POST") return Post(request);
    Response response = Problem(405, "Not allowed", "reports are posted");
    response.headers.emplace_back("Allow", "POST");
    return response;
  }
  if (!reads) return Problem(405, "Not allowed", "only /api/reports takes posts");
  if (request.path == "/api/survey") return JsonResponse(200, survey_json_);
  if (request.path == "/api" + results_path_) return Results();
  for (const PageFile& page : pages_) {
    const bool is_results = page.path == "/results";
    if (is_results ? request.path == results_path_ : page.path == request.path) {
      return {.status = 200,
              .content_type = std::string(page.content_type),
              .body = std::string(page.body)};
    }
  }
  return Problem(404, "Not found", "there is nothing at this address");
}

Response SurveyService::Post(const Request& request) {
  if (!rate_limit_.Allow(request.remote, RateLimit::Clock::now())) {
    Response response = Problem(429, "Too many", "too many posts from this address; try later");
    response.headers.emplace_back("Retry-After", "60");
    return response;
  }
  if (IsCrossSite(request)) {
    return Problem(403, "Cross-site", "reports are taken from this survey's own page only");
  }
  if (!wire::http::HasJsonBody(request)) {
    return Problem(415, "Wrong type", "the body must be application/json");
  }
  const Result<Submission> submission =
      ParseSubmission(survey_, fingerprint_, seeds_, request.body);
  if (!submission.ok()) {
    return Problem(400, "Not a submission", submission.error().public_message);
  }
  const Result<ReportStore::Outcome> outcome =
      store_->Submit(survey_, *submission, Entropy::ForThisThread());
  if (!outcome.ok()) {
    std::fprintf(stderr, "%s: %s\n", outcome.error().public_message.c_str(),
                 outcome.error().private_detail.c_str());
    return Problem(503, "Not stored", "the reports could not be stored; nothing was kept");
  }
  switch (*outcome) {
    case ReportStore::Outcome::kUnknownToken:
      return Problem(403, "Unknown token", "this token was not given out for this survey");
    case ReportStore::Outcome::kTokenUsed:
      return Problem(409, "Token used", "this token has already answered");
    case ReportStore::Outcome::kAlreadyStored:
      return JsonResponse(200, R"({"stored":true,"before":true})");
    case ReportStore::Outcome::kStored:
      break;
  }
  for (const Submission::OneReport& one : submission->reports) {
    TACIT_ASSERT(tallies_[one.question].Add(one.report).ok());
  }
  return JsonResponse(201, R"({"stored":true,"before":false})");
}

Response SurveyService::Results() const {
  Json questions = Json::array();
  for (size_t q = 0; q < survey_.questions.size(); ++q) {
    const Question& question = survey_.questions[q];
    const std::vector<Frequency> frequencies = EstimateFrequencies(tallies_[q]);
    Json options = Json::array();
    for (size_t v = 0; v < frequencies.size(); ++v) {
      const Frequency& f = frequencies[v];
      options.push_back({{"label", question.options[v]},
                         {"estimate", f.estimate},
                         {"projected", f.projected},
                         {"sd", f.error},
                         {"low95", f.answered.low},
                         {"high95", f.answered.high}});
    }
    questions.push_back({{"id", question.id},
                         {"text", question.text},
                         {"people", tallies_[q].people()},
                         {"mechanism", NameOf(question.design.mechanism)},
                         {"epsilon", ToString(EpsilonUp(question.design).value)},
                         {"options", std::move(options)}});
  }
  return JsonResponse(
      200, Dump({{"title", survey_.title}, {"survey", fingerprint_}, {"questions", questions}}));
}

}  // namespace tacit::local
