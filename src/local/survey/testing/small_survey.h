#pragma once

#include <string>

#include "base/testing/folder.h"
#include "local/survey/survey.h"

namespace tacit::local::testing {

inline Survey SmallSurvey(bool tokens = false) {
  return ParseSurvey(
             "tacit_survey: 1\ntitle: Lunch\nstorage: lunch.sqlite\nepsilon_max: 3\n"
             "posts_per_minute: 50\ntokens: " +
                 std::string(tokens ? "true" : "false") +
                 "\nquestions:\n"
                 "  - {id: smoke, text: Do you smoke, kind: yes_no, epsilon: 1}\n"
                 "  - {id: food, text: Food, kind: choice, options: [a, b, c], epsilon: 1}\n"
                 "  - {id: set, text: Which, kind: several, options: [a, b, c], epsilon: 1}\n",
             "lunch.yaml")
      .value();
}

using tacit::testing::Folder;

}  // namespace tacit::local::testing
