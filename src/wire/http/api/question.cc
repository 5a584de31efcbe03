#include "wire/http/api/question.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/process/memory_reserve.h"

namespace tacit::wire::http {
namespace {

using nlohmann::json;

// Why 200: a UUID has 36 characters; more is somebody's file.
constexpr size_t kIdempotencyKeyBytesMax = 200;
// Why 4: {"sql": "..."} needs one level, a wrong body may have a few before it is told.
constexpr int kDepthMax = 4;

// 0.1 means a tenth, not the nearest double: the shortest decimal that reads back as it was sent.
Result<Rational> NumberOf(const std::string& name, const json& value) {
  if (!value.is_number() && !value.is_string()) {
    return InvalidArgument("\"" + name + "\" must be a number",
                           "for example \"" + name + "\": 0.5");
  }
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  Result<Rational> number = ParseRational(text);
  if (number.ok()) return number;
  Error error = std::move(number).error();
  error.public_message = "\"" + name + "\": " + error.public_message;
  return error;
}

Result<Done> Read(const std::string& name, const json& value, Question& question) {
  if (name == "sql") {
    if (!value.is_string()) return InvalidArgument("\"sql\" must be a text");
    question.text = value.get<std::string>();
  } else if (name == "intervals") {
    if (!value.is_boolean()) return InvalidArgument("\"intervals\" must be true or false");
    question.wish.intervals = value.get<bool>();
  } else if (name == "nonnegative") {
    if (!value.is_boolean()) return InvalidArgument("\"nonnegative\" must be true or false");
    question.wish.nonnegative = value.get<bool>();
  } else if (name == "epsilon") {
    TACIT_TRY(const Rational epsilon, NumberOf(name, value));
    TACIT_TRY(question.wish.epsilon, CheckedEpsilon(epsilon, "\"epsilon\""));
  } else if (name == "delta") {
    TACIT_TRY(const Rational delta, NumberOf(name, value));
    TACIT_TRY(question.wish.delta, CheckedDelta(delta, "\"delta\""));
  } else if (name == "error") {
    if (!value.is_number() && !value.is_string()) {
      return InvalidArgument("\"error\" must be a number or a text",
                             R"(for example "error": 40, or "error": "n = 5 %")");
    }
    TACIT_TRY(question.wish.error,
              plan::ReadErrorWish(value.is_string() ? value.get<std::string>() : value.dump()));
  } else {
    return InvalidArgument("\"" + name + "\" is not a part of a question",
                           "sql, epsilon, delta, error, intervals and nonnegative are");
  }
  return Done{};
}

Result<json> BodyOf(const Request& request) {
  int depth_seen = 0;
  std::set<std::string> names;
  bool twice = false;  // readers disagree about which one holds
  const json body = json::parse(
      request.body,
      [&](int depth, json::parse_event_t event, json& part) {
        depth_seen = std::max(depth_seen, depth);
        if (event == json::parse_event_t::key && depth == 1) {
          twice = !names.insert(part.get<std::string>()).second || twice;
        }
        return depth <= kDepthMax;  // deeper parts are dropped, not built
      },
      /*allow_exceptions=*/false);
  if (body.is_discarded() || !body.is_object() || depth_seen > kDepthMax) {
    return InvalidArgument("the body is not a JSON object",
                           R"(send {"sql": "SELECT count(*) FROM ..."})");
  }
  if (twice) return InvalidArgument("a part of the question comes twice", "send each part once");
  return body;
}

Result<std::string> KeyOf(const Request& request) {
  if (!request.Has("Idempotency-Key")) return std::string();
  const std::string key(request.Header("Idempotency-Key"));
  if (key.empty() || key.size() > kIdempotencyKeyBytesMax) {
    return InvalidArgument("the Idempotency-Key must come once, with 1 to " +
                           std::to_string(kIdempotencyKeyBytesMax) + " characters");
  }
  return key;
}

}  // namespace

Result<Question> QuestionOf(const Request& request, const std::string& analyst) {
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  TACIT_TRY(const json body, BodyOf(request));
  Question question{.text = "", .analyst = analyst};
  for (const auto& [name, value] : body.items()) TACIT_CHECK(Read(name, value, question));
  if (!body.contains("sql")) {
    return InvalidArgument("the question has no \"sql\"",
                           R"(send {"sql": "SELECT count(*) FROM ..."})");
  }
  if (question.wish.epsilon && question.wish.error) {
    return InvalidArgument("\"epsilon\" and \"error\" exclude each other",
                           "name the price, or the error you can live with");
  }
  TACIT_TRY(question.request_id, KeyOf(request));
  return question;
}

std::string BuyingText(const std::string& questions) {
  std::string text = "SELECT * FROM tacit.buy('";
  for (const char c : questions) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "')";
}

}  // namespace tacit::wire::http
