#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "local/design/design.h"

namespace tacit::local {

enum class QuestionKind { kYesNo, kChoice, kSeveral };

struct Question {
  std::string id;
  std::string text;
  QuestionKind kind = QuestionKind::kYesNo;
  std::vector<std::string> options;
  Design design;
};

// What the owner wrote in SURVEY.yaml, checked: names are distinct, designs are made, and all
// questions together stay within the owner's cap.
struct Survey {
  std::string title;
  std::string introduction;
  Rational epsilon_max;
  std::string storage;             // path of the SQLite file, relative to SURVEY.yaml
  bool tokens = false;             // one token a person
  uint32_t posts_per_minute = 30;  // from one address
  bool results_for_all = true;     // else they are at an address that only the owner is told
  std::vector<Question> questions;
};

inline constexpr size_t kSurveyBytesMax = size_t{1} << 20;
// Why 50: nobody answers more, and every question takes its share of the cap.
inline constexpr size_t kQuestionsMax = 50;

// `name` is the file's, for errors with their line.
Result<Survey> ParseSurvey(const std::string& yaml, const std::string& name);

// The sum of what all questions give away about a person who answers them all.
Epsilon TotalEpsilon(const Survey& survey);

// What the page needs to know, and no more.
nlohmann::ordered_json SurveyToJson(const Survey& survey);

// A hash of everything that decides what a report means: questions, options and designs. Reports
// are stored and accepted under one fingerprint only.
std::string FingerprintOf(const Survey& survey);

}  // namespace tacit::local
