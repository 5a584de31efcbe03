#include "wire/http/api/api.h"

#include <memory>

#include "answer/format/format.h"
#include "answer/format/json_pieces.h"
#include "wire/auth/guess_delays.h"
#include "wire/http/api/credentials.h"
#include "wire/http/api/error_problem.h"
#include "wire/http/api/openapi.h"
#include "wire/http/api/question.h"
#include "wire/transport/address.h"
#include "wire/words/log.h"

namespace tacit::wire::http {
namespace {

constexpr char kJson[] = "application/json";
constexpr char kLedger[] = "/v1/ledger";

Response Json(std::string body) {
  // An answer belongs to the one who paid for it; no cache between keeps it.
  return {.status = 200,
          .content_type = kJson,
          .body = std::move(body),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

// A short body whole, a long one as it is read.
Response Json(Pieces pieces, const std::string& owner) {
  std::string first;
  const bool goes_on = pieces(first);
  Response response = Json(std::move(first));
  if (goes_on) response.more = std::move(pieces);
  response.owner = owner;
  return response;
}

Response Json(answer::Answer answer, const std::string& owner) {
  const auto pieces = std::make_shared<answer::JsonPieces>(std::move(answer));
  return Json([pieces](std::string& piece) { return pieces->Next(piece); }, owner);
}

Response Json(answer::Explanation explanation, const std::string&) {
  return Json(answer::FormatJson(explanation));
}

// HTTP shows no catalog.
Response Json(AnyAnswer answer, const std::string& owner) {
  return Json(std::get<answer::Answer>(std::move(answer)), owner);
}

template <class T>
Response ResponseOf(Outcome<T> outcome, const std::string& owner) {
  Response response = outcome.result.ok() ? Json(std::move(outcome.result).value(), owner)
                                          : ProblemOf(outcome.result.error());
  response.not_before = outcome.leaves_at;
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

constexpr char kWorkload[] = "/v1/workload";

bool Asks(const Request& request) {
  return request.path == "/v1/query" || request.path == "/v1/explain" || request.path == kWorkload;
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
  explicit Api(Backend backend) : backend_(std::move(backend)) {}

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
    if (backend_.remembers(who->analyst, who->password)) return Admit(request, attempt, reply);
    const bool taken =
        backend_.by_password_thread(address, [this, request, who, attempt, reply](size_t) {
          Carefully([&] {
            // A pool's connections come at once, with one password: the first is enough.
            const bool fits = backend_.remembers(who->analyst, who->password) ||
                              backend_.knows(who->analyst, who->password);
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
    const bool known = Asks(request) || request.path == kLedger || TableOf(request.path) != nullptr;
    if (!known) {
      return Problem(404, "Not here", "there is no such address; /openapi.json lists them");
    }
    if (!Reads(request) && IsCrossSite(request)) {
      return Problem(403, "Another site", "a page of another site may not ask in your name");
    }
    return std::nullopt;
  }

  Response WrongLogin(const Request& request, const Attempt& attempt) {
    guesses_.AddWrong(attempt.analyst, attempt.address, Clock::now());
    Log("login_failed", {{"remote", request.remote},
                         {"account", CutForLog(attempt.analyst)},
                         {"condition", "invalid_password"}});
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
        backend_.by_worker(attempt.analyst, [this, request, attempt, reply](size_t worker) {
          Carefully([&] {
            Response response = Answer(*request, attempt, worker);
            response.known_as = attempt.analyst;
            response.not_before = std::max(response.not_before, attempt.told_at);
            reply(std::move(response));
          });
        });
    if (!taken) reply(TooManyWaiting());
  }

  const std::function<Result<std::string>(const std::string&)>* TableOf(
      const std::string& path) const {
    if (path == "/v1/budget") return &backend_.budget;
    if (path == "/v1/tables") return &backend_.tables;
    return nullptr;
  }

  Response Answer(const Request& request, const Attempt& attempt, size_t worker) const {
    const std::string& analyst = attempt.analyst;
    if (const auto* table = TableOf(request.path)) {
      Result<std::string> body = (*table)(analyst);
      return body.ok() ? Json(std::move(body).value()) : ProblemOf(body.error());
    }
    if (request.path == kLedger) {
      Result<Pieces> charges = backend_.ledger(analyst);
      return charges.ok() ? Json(std::move(charges).value(), analyst) : ProblemOf(charges.error());
    }
    Result<Question> read = QuestionOf(request, analyst);
    if (!read.ok()) return ProblemOf(read.error());
    Question question = std::move(read).value();
    question.asked = attempt.asked;
    if (request.path == kWorkload) question.text = BuyingText(question.text);
    if (request.path == "/v1/explain") {
      return ResponseOf(backend_.explain(std::move(question), worker), analyst);
    }
    return ResponseOf(backend_.query(std::move(question), worker), analyst);
  }

  const Backend backend_;
  GuessDelays guesses_;
};

}  // namespace

Dispatcher MakeApi(Backend backend) {
  return [api = std::make_shared<Api>(std::move(backend))](
             const RequestInHand& request, const Reply& reply) { api->Dispatch(request, reply); };
}

}  // namespace tacit::wire::http
