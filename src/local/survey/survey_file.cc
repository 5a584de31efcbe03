#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>

#include "local/estimate/estimate.h"
#include "local/reports/header.h"
#include "local/survey/survey.h"

namespace tacit::local {
namespace {

constexpr size_t kTextBytesMax = 2'000;

// Reads one file; every error says the file and the line.
class SurveyReader {
 public:
  explicit SurveyReader(const std::string& name) : name_(name) {}

  Result<Survey> Read(const YAML::Node& root) const {
    TACIT_CHECK(CheckKeys(root, "a survey",
                          {"tacit_survey", "title", "introduction", "epsilon_max", "storage",
                           "tokens", "posts_per_minute", "questions", "results"}));
    TACIT_TRY(const std::string version, Text(root, "tacit_survey"));
    if (version != "1") return Wrong(root["tacit_survey"], "tacit_survey must be 1");
    Survey survey;
    TACIT_TRY(survey.title, Text(root, "title"));
    if (root["introduction"]) {
      TACIT_TRY(survey.introduction, Text(root, "introduction"));
    }
    TACIT_TRY(survey.storage, Text(root, "storage"));
    TACIT_TRY(survey.epsilon_max, Number(root, "epsilon_max"));
    if (root["tokens"]) {
      TACIT_TRY(const std::string tokens, Text(root, "tokens"));
      if (tokens != "true" && tokens != "false") {
        return Wrong(root["tokens"], "tokens must be true or false");
      }
      survey.tokens = tokens == "true";
    }
    if (root["posts_per_minute"]) {
      TACIT_TRY(const Rational posts, Number(root, "posts_per_minute"));
      if (posts < 1 || posts > 1'000'000 || posts.get_den() != 1) {
        return Wrong(root["posts_per_minute"], "posts_per_minute must be 1 to 1000000");
      }
      survey.posts_per_minute = static_cast<uint32_t>(posts.get_num().get_ui());
    }
    if (root["results"]) {
      TACIT_TRY(const std::string results, Text(root, "results"));
      if (results != "everybody" && results != "owner") {
        return Wrong(root["results"], "results must be everybody or owner");
      }
      survey.results_for_all = results == "everybody";
    }
    TACIT_CHECK(ReadQuestions(root, survey));
    const Rational total = TotalEpsilon(survey).value;
    if (total > survey.epsilon_max) {
      return Wrong(root["epsilon_max"],
                   "all questions together cost epsilon " + ToString(total) +
                       ", above epsilon_max " + ToString(survey.epsilon_max),
                   "ask fewer questions, give each a smaller epsilon, or raise epsilon_max");
    }
    return survey;
  }

 private:
  Error Wrong(const YAML::Node& node, const std::string& what, const std::string& hint = "") const {
    const int line = node ? node.Mark().line + 1 : 1;
    return InvalidArgument(name_ + ":" + std::to_string(line) + ": " + what, hint);
  }

  Result<Done> CheckKeys(const YAML::Node& node, const std::string& what,
                         std::initializer_list<std::string_view> known) const {
    if (!node.IsMap()) return Wrong(node, what + " must be a list of `name: value` lines");
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        std::string hint = "known are";
        for (const std::string_view word : known) hint += " " + std::string(word);
        return Wrong(entry.first, "unknown word \"" + key + "\" in " + what, hint);
      }
      if (!seen.insert(key).second) return Wrong(entry.first, "\"" + key + "\" comes twice");
    }
    return Done{};
  }

  Result<std::string> Text(const YAML::Node& node, const char* key) const {
    if (!node[key]) return Wrong(node, std::string(key) + " is missing");
    if (!node[key].IsScalar() || node[key].Scalar().empty() ||
        node[key].Scalar().size() > kTextBytesMax) {
      return Wrong(node[key], std::string(key) + " must be a text of 1 to " +
                                  std::to_string(kTextBytesMax) + " bytes");
    }
    return node[key].Scalar();
  }

  Result<Rational> Number(const YAML::Node& node, const char* key) const {
    TACIT_TRY(const std::string text, Text(node, key));
    const Result<Rational> number = ParseRational(text);
    if (!number.ok()) {
      return Wrong(node[key], std::string(key) + ": " + number.error().public_message);
    }
    return *number;
  }

  Result<Done> ReadQuestions(const YAML::Node& root, Survey& survey) const {
    const YAML::Node list = root["questions"];
    if (!list || !list.IsSequence() || list.size() == 0 || list.size() > kQuestionsMax) {
      return Wrong(list ? list : root,
                   "questions must be a list of 1 to " + std::to_string(kQuestionsMax));
    }
    for (const YAML::Node& node : list) {
      TACIT_TRY(Question question, ReadQuestion(node));
      for (const Question& other : survey.questions) {
        if (other.id == question.id) {
          return Wrong(node["id"], "two questions have the id \"" + question.id + "\"");
        }
      }
      survey.questions.push_back(std::move(question));
    }
    return Done{};
  }

  Result<Question> ReadQuestion(const YAML::Node& node) const {
    TACIT_CHECK(
        CheckKeys(node, "a question",
                  {"id", "text", "kind", "options", "epsilon", "truth", "mechanism", "at_most"}));
    Question question;
    TACIT_TRY(question.id, Text(node, "id"));
    const bool plain = std::all_of(question.id.begin(), question.id.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!plain || question.id.size() > 40) {
      return Wrong(node["id"], "an id has up to 40 small letters, digits and _");
    }
    TACIT_TRY(question.text, Text(node, "text"));
    TACIT_TRY(const std::string kind, Text(node, "kind"));
    if (kind == "yes_no") {
      question.kind = QuestionKind::kYesNo;
      question.options = {"Yes", "No"};
    } else if (kind == "choice" || kind == "several") {
      question.kind = kind == "choice" ? QuestionKind::kChoice : QuestionKind::kSeveral;
    } else {
      return Wrong(node["kind"], "kind must be yes_no, choice or several");
    }
    TACIT_CHECK(ReadOptions(node, question));
    TACIT_TRY(question.design, ReadDesign(node, question));
    return question;
  }

  Result<Done> ReadOptions(const YAML::Node& node, Question& question) const {
    const YAML::Node list = node["options"];
    if (question.kind == QuestionKind::kYesNo && !list) return Done{};
    // Why 500: people read them.
    if (!list || !list.IsSequence() || list.size() > 500) {
      return Wrong(list ? list : node, "options must be a list of up to 500");
    }
    question.options.clear();
    for (const YAML::Node& option : list) {
      if (!option.IsScalar()) return Wrong(option, "an option must be a text");
      question.options.push_back(option.Scalar());
    }
    const Result<Done> checked = CheckValueNames(question.options);
    if (!checked.ok()) return Wrong(list, checked.error().public_message);
    return Done{};
  }

  Result<Design> ReadDesign(const YAML::Node& node, const Question& question) const {
    const Result<Design> design = MakeQuestionDesign(node, question);
    if (!design.ok() && design.error().public_message.starts_with(name_)) return design;
    if (!design.ok()) return Wrong(node, design.error().public_message, design.error().hint);
    return design;
  }

  Result<Design> MakeQuestionDesign(const YAML::Node& node, const Question& question) const {
    if (node["at_most"] && question.kind != QuestionKind::kSeveral) {
      return Wrong(node["at_most"], "at_most is for several only");
    }
    if (node["truth"]) {
      if (question.kind != QuestionKind::kYesNo || node["epsilon"]) {
        return Wrong(node["truth"], "truth is for yes_no, instead of epsilon");
      }
      TACIT_TRY(const Rational truth, Number(node, "truth"));
      return MakeWarner(truth);
    }
    TACIT_TRY(const Rational epsilon, Number(node, "epsilon"));
    Wish wish{.mechanism = Mechanism::kWarner,
              .values = static_cast<uint32_t>(question.options.size()),
              .epsilon = Epsilon(epsilon)};
    if (question.kind == QuestionKind::kSeveral) {
      wish.mechanism = Mechanism::kSeveral;
      if (node["at_most"]) {
        TACIT_TRY(const Rational at_most, Number(node, "at_most"));
        if (at_most < 1 || at_most > wish.values || at_most.get_den() != 1) {
          return Wrong(node["at_most"], "at_most must be 1 to the number of options");
        }
        wish.ticks_max = static_cast<uint32_t>(at_most.get_num().get_ui());
      }
    }
    if (question.kind != QuestionKind::kChoice) {
      if (node["mechanism"]) return Wrong(node["mechanism"], "mechanism is for choice only");
      return MakeDesign(wish);
    }
    if (node["mechanism"]) {
      TACIT_TRY(const std::string mechanism, Text(node, "mechanism"));
      TACIT_TRY(wish.mechanism, MechanismNamed(mechanism));
      if (wish.mechanism == Mechanism::kSeveral || wish.mechanism == Mechanism::kWarner) {
        return Wrong(node["mechanism"], "a choice is asked by krr, sue, oue or olh");
      }
      return MakeDesign(wish);
    }
    wish.mechanism = Mechanism::kKary;
    TACIT_TRY(const Design kary, MakeDesign(wish));
    wish.mechanism = Mechanism::kHashing;
    TACIT_TRY(const Design hashing, MakeDesign(wish));
    return NoiseVariance(kary, 0) <= NoiseVariance(hashing, 0) ? kary : hashing;
  }

  const std::string& name_;
};

}  // namespace

Result<Survey> ParseSurvey(const std::string& yaml, const std::string& name) {
  if (yaml.size() > kSurveyBytesMax) return InvalidArgument(name + " is too large for a survey");
  try {
    const YAML::Node root = YAML::Load(yaml);
    return SurveyReader(name).Read(root);
  } catch (const YAML::Exception& error) {
    return InvalidArgument(name + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
}

}  // namespace tacit::local
