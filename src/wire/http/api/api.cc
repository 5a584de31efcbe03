#include "wire/http/api/api.h"

#include <memory>

#include "answer/format.h"
#include "wire/http/api/credentials.h"
#include "wire/http/api/error_problem.h"
#include "wire/http/api/openapi.h"
#include "wire/http/api/question.h"
#include "wire/http/api/wrong_logins.h"
#include "wire/service/log.h"

namespace tacit::wire::http {
namespace {

constexpr char kJson[] = "application/json";

Response Json(std::string body) {
  // An answer belongs to the one who paid for it; no cache between keeps it.
  return {.status = 200,
          .content_type = kJson,
          .body = std::move(body),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

Response MethodIsNot(const std::string& wanted) {
  Response response = Problem(405, "Wrong method", "this address answers " + wanted + " only");
  response.headers.emplace_back("Allow", wanted);
  return response;
}

Response WhoIsAsking() {
  Response response = Problem(401, "Who is asking?",
                              "send the analyst's name and password by Basic authentication");
  response.headers.emplace_back("WWW-Authenticate", R"(Basic realm="tacit", charset="UTF-8")");
  return response;
}

Response TooManyLogins() {
  return Problem(429, "Too many wrong logins",
                 "too many wrong passwords came from your address just now; wait a moment");
}

using Clock = std::chrono::steady_clock;

class Api {
 public:
  explicit Api(Doors doors) : doors_(std::move(doors)) {}

  Response Handle(const Request& request) const {
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (request.path == "/healthz") {
      return reads ? Json("{\"status\":\"ok\"}\n") : MethodIsNot("GET");
    }
    if (request.path == "/openapi.json") {
      return reads ? Json(std::string(OpenApiDocument())) : MethodIsNot("GET");
    }
    const bool asks = request.path == "/v1/query" || request.path == "/v1/explain";
    const auto* table = TableOf(request.path);
    if (!asks && table == nullptr) {
      return Problem(404, "Not here", "there is no such address; /openapi.json lists them");
    }
    const bool tries = request.Has("Authorization");
    if (tries && wrong_logins_.TooMany(request.remote, Clock::now())) return TooManyLogins();
    const std::optional<Credentials> who = CredentialsOf(request.Header("Authorization"));
    if (!who || !doors_.knows(who->analyst, who->password)) {
      Response response = WhoIsAsking();
      // A client may ask first what is wanted; only a wrong attempt is one.
      if (tries) {
        wrong_logins_.Add(request.remote, Clock::now());
        Log("login_failed", {{"remote", request.remote}, {"condition", "invalid_password"}});
        response.delay = kWrongLoginDelay;
      }
      return response;
    }
    if (asks) {
      return request.method == "POST" ? Ask(request, who->analyst) : MethodIsNot("POST");
    }
    if (!reads) return MethodIsNot("GET");
    Result<std::string> body = (*table)(who->analyst);
    return body.ok() ? Json(std::move(body).value()) : ProblemOf(body.error());
  }

 private:
  const std::function<Result<std::string>(const std::string&)>* TableOf(
      const std::string& path) const {
    if (path == "/v1/budget") return &doors_.budget;
    if (path == "/v1/ledger") return &doors_.ledger;
    if (path == "/v1/tables") return &doors_.tables;
    return nullptr;
  }

  Response Ask(const Request& request, const std::string& analyst) const {
    Result<gateway::Request> question = QuestionOf(request, analyst);
    if (!question.ok()) return ProblemOf(question.error());
    if (request.path == "/v1/explain") {
      const Result<answer::Explanation> explanation = doors_.explain(*question);
      return explanation.ok() ? Json(answer::FormatJson(*explanation))
                              : ProblemOf(explanation.error());
    }
    const Result<answer::Answer> answer = doors_.query(*question);
    return answer.ok() ? Json(answer::FormatJson(*answer)) : ProblemOf(answer.error());
  }

  Doors doors_;
  mutable WrongLogins wrong_logins_{kWrongLoginDelay};
};

}  // namespace

Handler MakeApi(Doors doors) {
  return [api = std::make_shared<const Api>(std::move(doors))](const Request& request) {
    return api->Handle(request);
  };
}

}  // namespace tacit::wire::http
