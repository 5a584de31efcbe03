#include "wire/service/front_door.h"

#include "catalog/settings.h"
#include "wire/service/catalog_question.h"
#include "wire/service/private_question.h"
#include "wire/service/time_grid.h"
#include "wire/words/log.h"
#include "wire/words/sql_state.h"
#include "wire/words/wording.h"

namespace tacit::wire {
namespace {

// Whom a question turned out to be about.
enum class About { kUnknown, kPeople, kCatalog };

struct Ended {
  const std::string& analyst;
  Instant asked;
  About about;
  const Error* error;  // null: it was answered
};

// Counts and logs a question that is over. Descriptions that succeed are not: the question goes on.
void Note(const Ended& ended, LiveDeployment& deployment) noexcept {
  if (ended.about != About::kCatalog) {
    const auto outcome =
        ended.error == nullptr ? Metrics::Outcome::kAnswered : Metrics::OutcomeOf(*ended.error);
    deployment.metrics().Count(outcome, std::chrono::steady_clock::now() - ended.asked);
  }
  try {
    if (ended.error != nullptr && !ended.error->private_detail.empty()) {
      Log("engine_failed",
          {{"analyst", ended.analyst}, {"kind", FailureKind(ended.error->private_detail)}});
    }
    Log("question", {{"analyst", ended.analyst},
                     {"state", ended.error == nullptr ? "00000" : StateOf(*ended.error)}});
  } catch (...) {
    Log("line_lost");  // no memory for the line
  }
}

template <class T>
const Error* ErrorOf(const Result<T>& result) {
  return result.ok() ? nullptr : &result.error();
}

// The one place that catches what a question throws. What is left then is made before it begins,
// so that saying it needs no memory.
template <class T, class Work>
Result<T> Caught(const Work& work) {
  Result<T> result = ProgramFailed();
  try {
    result = work();
  } catch (...) {
    Log("question_failed");
  }
  return result;
}

std::string PathOf(const AskingSession& session) {
  return catalog::FindSetting(session.settings, "search_path").value_or("");
}

// Whether a text means what it meant to everybody else who sent it.
bool NamesArePublic(const Question& question, const Terms& terms) {
  return !question.session || terms.catalog.SearchesPublicFirst(PathOf(*question.session));
}

// Reads the text, unless it is known, and says who answers: the catalog where there is a query.
Result<std::optional<catalog::Query>> CatalogQueryIn(Question& question, const Terms& terms) {
  const std::optional<catalog::Query> nothing;
  if (!question.session) return nothing;
  if (NamesArePublic(question, terms) && IsKnownPrivate(question, terms)) return nothing;
  if (question.reading == nullptr) {
    TACIT_TRY(question.reading, sql::ReadQuestion(question.text));
  }
  return terms.catalog.Recognize(*question.reading, PathOf(*question.session));
}

// A question that names no table is the catalog's first, which knows what drivers ask; what it has
// no function for the gateway may have one for, above aggregates: it costs nothing there either.
bool MayAskGateway(const Question& question, const Error& error) {
  const bool without_words =
      error.rule == "undefined_function" || error.code == ErrorCode::kUnsupported;
  return without_words && question.reading != nullptr && question.reading->tables.empty() &&
         question.reading->statement.ok();
}

// For the gateway, without what makes it keep the text in mind as one that is not the catalog's.
Question OutsideCatalog(Question question) {
  question.session.reset();
  return question;
}

Instant NextTickOf(const Question& question, const Terms& terms) {
  return NextTick(question.asked, std::chrono::steady_clock::now(),
                  terms.policy.server.answer_every_ms);
}

}  // namespace

Error ProgramFailed() {
  return Error{.code = ErrorCode::kInternal,
               .public_message = "the program failed; what was charged stays charged",
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<std::vector<sql::Command>> ReadRequest(const std::string& analyst, const std::string& text,
                                              LiveDeployment& deployment) {
  const Instant asked = std::chrono::steady_clock::now();
  if (const auto known = FindKnown(analyst, text, {}, *deployment.terms())) {
    return std::vector<sql::Command>{{.text = text,
                                      .offset = 0,
                                      .tag = known->explains ? "EXPLAIN" : "SELECT",
                                      .kind = sql::AskCommand{}}};
  }
  Result<std::vector<sql::Command>> commands = sql::ReadCommands(text);
  if (!commands.ok()) {
    Note({.analyst = analyst, .asked = asked, .about = About::kUnknown, .error = ErrorOf(commands)},
         deployment);
  }
  return commands;
}

bool HandToWorker(const std::string& analyst, LiveDeployment& deployment, WorkerPool::Job work) {
  const bool taken = deployment.workers().Submit(analyst, std::move(work));
  if (!taken) Log("question", {{"analyst", analyst}, {"state", "53300"}});
  return taken;
}

Outcome<AnyAnswer> Answer(Question question, LiveDeployment& deployment, size_t worker) {
  const TermsInForce terms = deployment.terms();
  About about = About::kUnknown;
  Outcome<AnyAnswer> outcome{
      .result = Caught<AnyAnswer>([&]() -> Result<AnyAnswer> {
        TACIT_TRY(const std::optional<catalog::Query> own, CatalogQueryIn(question, *terms));
        about = own ? About::kCatalog : About::kPeople;
        if (own) {
          Result<catalog::Answer> answer = AnswerFromCatalog(*own, question, deployment, terms);
          if (answer.ok()) return AnyAnswer(std::move(answer).value());
          if (!MayAskGateway(question, answer.error())) return answer.error();
          Result<answer::Answer> computed =
              AnswerPrivate(OutsideCatalog(question), deployment, terms, worker);
          if (!computed.ok()) return answer.error();
          about = About::kPeople;
          return AnyAnswer(std::move(computed).value());
        }
        TACIT_TRY(answer::Answer answer, AnswerPrivate(question, deployment, terms, worker));
        return AnyAnswer(std::move(answer));
      })};
  const bool at_once = outcome.result.ok() && about == About::kCatalog;
  if (!at_once) outcome.leaves_at = NextTickOf(question, *terms);
  Note({.analyst = question.analyst,
        .asked = question.asked,
        .about = about,
        .error = ErrorOf(outcome.result)},
       deployment);
  return outcome;
}

Outcome<answer::Explanation> Explain(const Question& question, LiveDeployment& deployment,
                                     size_t worker) {
  const TermsInForce terms = deployment.terms();
  Outcome<answer::Explanation> outcome{.result = Caught<answer::Explanation>([&] {
                                         return ExplainPrivate(question, deployment, terms, worker);
                                       })};
  // What the ledger has stored makes a price quicker or slower to tell.
  outcome.leaves_at = NextTickOf(question, *terms);
  Note({.analyst = question.analyst,
        .asked = question.asked,
        .about = About::kPeople,
        .error = ErrorOf(outcome.result)},
       deployment);
  return outcome;
}

Result<Shape> Describe(Question question, LiveDeployment& deployment, size_t worker) {
  const TermsInForce terms = deployment.terms();
  About about = About::kUnknown;
  Result<Shape> shape = Caught<Shape>([&]() -> Result<Shape> {
    TACIT_TRY(const std::optional<catalog::Query> own, CatalogQueryIn(question, *terms));
    about = own ? About::kCatalog : About::kPeople;
    if (!own) return DescribePrivate(question, deployment, terms, worker);
    Result<Shape> described = DescribeFromCatalog(*own, question, deployment, terms);
    if (described.ok() || !MayAskGateway(question, described.error())) return described;
    Result<Shape> computed = DescribePrivate(OutsideCatalog(question), deployment, terms, worker);
    return computed.ok() ? computed : described;
  });
  if (!shape.ok()) {
    Note({.analyst = question.analyst,
          .asked = question.asked,
          .about = about,
          .error = ErrorOf(shape)},
         deployment);
  }
  return shape;
}

std::optional<Outcome<AnyAnswer>> AnswerAtOnce(const Question& question,
                                               LiveDeployment& deployment) {
  const TermsInForce terms = deployment.terms();
  std::optional<answer::Answer> kept;
  try {
    if (!NamesArePublic(question, *terms)) return std::nullopt;
    kept = ReplayPrivate(question, deployment, *terms);
  } catch (...) {
    return std::nullopt;  // a worker tries again
  }
  if (!kept) return std::nullopt;
  Note({.analyst = question.analyst,
        .asked = question.asked,
        .about = About::kPeople,
        .error = nullptr},
       deployment);
  return Outcome<AnyAnswer>{.result = AnyAnswer(std::move(*kept)),
                            .leaves_at = NextTickOf(question, *terms)};
}

}  // namespace tacit::wire
