#include "local/survey/submission.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "local/design/hash_family.h"
#include "local/reports/report_text.h"
#include "local/survey/random_name.h"

namespace tacit::local {
namespace {

using SortedJson = nlohmann::json;

// nlohmann-json keeps the last of two equal keys; a post with two answers to one question must not
// pass for one with one.
bool ParseStrictly(std::string_view body, SortedJson& json) {
  bool twice = false;
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int /*depth*/, SortedJson::parse_event_t event, SortedJson& parsed) {
    if (event == SortedJson::parse_event_t::object_start) open.emplace_back();
    if (event == SortedJson::parse_event_t::object_end && !open.empty()) open.pop_back();
    if (event == SortedJson::parse_event_t::key) {
      twice = twice || !open.back().insert(parsed.get<std::string>()).second;
    }
    return true;
  };
  // Depth first: the parser recurses, and a submission nests twice.
  int depth = 0;
  for (const char c : body) {
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    if (depth > 8) return false;
  }
  json = SortedJson::parse(body, watch, /*allow_exceptions=*/false);
  return !json.is_discarded() && !twice;
}

std::string TextAt(const SortedJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::vector<uint32_t> SeedsOf(const Survey& survey) {
  std::vector<uint32_t> seeds;
  for (const Question& question : survey.questions) {
    const Design& design = question.design;
    seeds.push_back(design.buckets == 0 ? 0 : HashFamily(design.values, design.buckets).seeds());
  }
  return seeds;
}

Result<Submission> ParseSubmission(const Survey& survey, const std::string& fingerprint,
                                   const std::vector<uint32_t>& seeds, std::string_view body) {
  SortedJson json;
  if (!ParseStrictly(body, json) || !json.is_object()) {
    return InvalidArgument("the body is not a JSON object in which every name comes once");
  }
  for (const auto& [key, value] : json.items()) {
    if (key != "survey" && key != "submission" && key != "token" && key != "reports") {
      return InvalidArgument("unknown word \"" + key + "\"");
    }
  }
  if (TextAt(json, "survey") != fingerprint) {
    return InvalidArgument("these reports are for another survey or an older version of this one",
                           "load the page again");
  }
  Submission submission;
  submission.id = TextAt(json, "submission");
  if (!IsName(submission.id)) {
    return InvalidArgument("submission must be 32 hexadecimal digits");
  }
  submission.token = TextAt(json, "token");
  if (survey.tokens ? !IsName(submission.token) : json.contains("token")) {
    return InvalidArgument(survey.tokens ? "this survey needs a token: 32 hexadecimal digits"
                                         : "this survey takes no token");
  }
  const auto reports = json.find("reports");
  if (reports == json.end() || !reports->is_object() || reports->empty()) {
    return InvalidArgument("there is no report");
  }
  for (const auto& [id, value] : reports->items()) {
    const auto question =
        std::find_if(survey.questions.begin(), survey.questions.end(),
                     [&id = id](const Question& candidate) { return candidate.id == id; });
    if (question == survey.questions.end()) {
      return InvalidArgument("there is no question \"" + id + "\"");
    }
    Submission::OneReport one;
    one.question = static_cast<size_t>(question - survey.questions.begin());
    if (value.is_string()) one.text = value.get<std::string>();
    if (!ParseReport(question->design, seeds[one.question], one.text, one.report)) {
      return InvalidArgument("not a possible report for the question \"" + id + "\"");
    }
    submission.reports.push_back(std::move(one));
  }
  return submission;
}

}  // namespace tacit::local
