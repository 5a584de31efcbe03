#pragma once

#include <filesystem>
#include <string>

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

// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tacit_survey_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace tacit::local::testing
