#include "wire/http/api/api.h"

#include <memory>

#include "answer/format.h"
#include "answer/json_pieces.h"
#include "wire/http/api/credentials.h"
#include "wire/http/api/error_problem.h"
#include "wire/http/api/openapi.h"
#include "wire/http/api/question.h"
#include "wire/service/guess_delays.h"
#include "wire/service/log.h"
#include "wire/service/sql_state.h"
#include "wire/transport/address.h"

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

// A short answer whole, a long one as it is read.
Response Json(answer::Answer answer, const std::string& owner) {
  const auto pieces = std::make_shared<answer::JsonPieces>(std::move(answer));
  std::string first;
  const bool goes_on = pieces->Next(first);
  Response response = Json(std::move(first));
  if (goes_on) response.more = [pieces](std::string& piece) { return pieces->Next(piece); };
  response.owner = owner;
  return response;
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
  return Problem(429, "Too many logins",
                 "too many passwords of your address wait to be looked at; wait a moment");
}

Response TooManyWaiting() {
  return Problem(503, "Too many at once",
                 "too many of your questions are waiting; wait for the answers of those you sent");
}

bool Reads(const Request& request) { return request.method == "GET" || request.method == "HEAD"; }

bool Asks(const Request& request) {
  return request.path == "/v1/query" || request.path == "/v1/explain";
}

using Clock = std::chrono::steady_clock;
using RequestInHand = std::shared_ptr<const Request>;

// Work that waits shares them: the password is in one place.
std::shared_ptr<const Credentials> SharedCredentials(const Request& request) {
  std::optional<Credentials> who = CredentialsOf(request.Header("Authorization"));
  return who ? std::make_shared<const Credentials>(std::move(*who)) : nullptr;
}

// What is thrown in here ends here: a reply that is dropped says by itself that the program failed.
template <class Work>
void Carefully(const Work& work) noexcept {
  try {
    work();
  } catch (...) {
  }
}

// Its work outlives no request, and no request outlives the server that owns it.
class Api {
 public:
  explicit Api(Doors doors) : doors_(std::move(doors)) {}

  void Dispatch(const RequestInHand& request, const Reply& reply) {
    if (std::optional<Response> response = WithoutPassword(*request)) {
      return reply(std::move(*response));
    }
    const bool tries = request->Has("Authorization");
    const std::shared_ptr<const Credentials> who = SharedCredentials(*request);
    // A client may ask first what is wanted; only a wrong attempt is one.
    if (!tries) return reply(WhoIsAsking());
    // Guesses make an account late from their address, for who knows the password too: how soon an
    // answer comes must not tell whether a guess was right.
    const std::string address = NetworkOf(request->remote);
    const Clock::time_point now = Clock::now();
    const Attempt attempt{.analyst = who ? who->analyst : "",
                          .address = address,
                          .asked = now,
                          .told_at = now + guesses_.Of(who ? who->analyst : "", address, now)};
    if (!who) return reply(WrongLogin(*request, attempt));
    if (doors_.remembers(who->analyst, who->password)) return Admit(request, attempt, reply);
    const bool taken = doors_.at_the_gate(address, [this, request, who, attempt, reply](size_t) {
      Carefully([&] {
        // A pool's connections come at once, with one password: the first is enough.
        const bool fits = doors_.remembers(who->analyst, who->password) ||
                          doors_.knows(who->analyst, who->password);
        if (fits) return Admit(request, attempt, reply);
        reply(WrongLogin(*request, attempt));
      });
    });
    if (!taken) reply(TooManyLogins());
  }

 private:
  struct Attempt {
    std::string analyst;  // as they say
    std::string address;
    Clock::time_point asked;
    Clock::time_point told_at;  // not before
  };

  // What everybody gets, and what nobody does.
  std::optional<Response> WithoutPassword(const Request& request) const {
    if (request.path == "/healthz") {
      return Reads(request) ? Json(std::string("{\"status\":\"ok\"}\n")) : MethodIsNot("GET");
    }
    if (request.path == "/openapi.json") {
      return Reads(request) ? Json(std::string(OpenApiDocument())) : MethodIsNot("GET");
    }
    if (!Asks(request) && TableOf(request.path) == nullptr) {
      return Problem(404, "Not here", "there is no such address; /openapi.json lists them");
    }
    if (!Reads(request) && IsCrossSite(request)) {
      return Problem(403, "Another site", "a page of another site may not ask in your name");
    }
    return std::nullopt;
  }

  Response WrongLogin(const Request& request, const Attempt& attempt) {
    guesses_.AddWrong(attempt.analyst, attempt.address, Clock::now());
    Log("login_failed", {{"remote", request.remote}, {"condition", "invalid_password"}});
    Response response = WhoIsAsking();
    response.not_before = std::max(Clock::now(), attempt.told_at) + kWrongLoginDelay;
    return response;
  }

  void Admit(const RequestInHand& request, const Attempt& attempt, const Reply& reply) {
    const std::string wanted = Asks(*request) ? "POST" : "GET";
    const bool right = wanted == "GET" ? Reads(*request) : request->method == "POST";
    if (!right) return reply(MethodIsNot(wanted));
    if (wanted == "POST" && !HasJsonBody(*request)) {
      return reply(
          Problem(415, "Wrong type", "a question is JSON: send Content-Type: application/json"));
    }
    const bool taken =
        doors_.by_the_crew(attempt.analyst, [this, request, attempt, reply](size_t worker) {
          Carefully([&] {
            Response response = Answer(*request, attempt, worker);
            response.known = true;
            response.not_before = std::max(response.not_before, attempt.told_at);
            reply(std::move(response));
          });
        });
    if (!taken) reply(TooManyWaiting());
  }

  const std::function<Result<std::string>(const std::string&)>* TableOf(
      const std::string& path) const {
    if (path == "/v1/budget") return &doors_.budget;
    if (path == "/v1/ledger") return &doors_.ledger;
    if (path == "/v1/tables") return &doors_.tables;
    return nullptr;
  }

  Response Answer(const Request& request, const Attempt& attempt, size_t worker) const {
    const std::string& analyst = attempt.analyst;
    if (const auto* table = TableOf(request.path)) {
      Result<std::string> body = (*table)(analyst);
      return body.ok() ? Json(std::move(body).value()) : ProblemOf(body.error());
    }
    Result<gateway::Request> question = QuestionOf(request, analyst);
    if (!question.ok()) return ProblemOf(question.error());
    if (request.path == "/v1/explain") {
      const Result<answer::Explanation> explanation = doors_.explain(*question, worker);
      LogQuestion(analyst, explanation);
      Response response = explanation.ok() ? Json(answer::FormatJson(*explanation))
                                           : ProblemOf(explanation.error());
      // What the ledger has stored makes a price quicker or slower to tell.
      response.not_before = doors_.tick(attempt.asked);
      return response;
    }
    Result<answer::Answer> answer = doors_.query(*question, worker);
    LogQuestion(analyst, answer);
    Response response =
        answer.ok() ? Json(std::move(answer).value(), analyst) : ProblemOf(answer.error());
    response.not_before = doors_.tick(attempt.asked);
    return response;
  }

  template <class T>
  static void LogQuestion(const std::string& analyst, const Result<T>& answer) {
    Log("question",
        {{"analyst", analyst}, {"state", answer.ok() ? "00000" : StateOf(answer.error())}});
  }

  const Doors doors_;
  GuessDelays guesses_;
};

}  // namespace

Dispatcher MakeApi(Doors doors) {
  return [api = std::make_shared<Api>(std::move(doors))](
             const RequestInHand& request, const Reply& reply) { api->Dispatch(request, reply); };
}

}  // namespace tacit::wire::http
