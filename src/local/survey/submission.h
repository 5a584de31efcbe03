#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "local/randomize/report.h"
#include "local/survey/survey.h"

namespace tacit::local {

// What a person's page sends, once:
//   {"survey": FINGERPRINT, "submission": ID, "token": TOKEN, "reports": {"smoke": "1", ...}}
// The id is random and made by the page before the first attempt, so that sending again after a
// broken connection is known for what it is. Reports are as in files.
struct Submission {
  struct OneReport {
    size_t question = 0;
    std::string text;
    Report report;
  };
  std::string id;
  std::string token;  // empty when the survey has none
  std::vector<OneReport> reports;
};

// The hash families are made once, not for every post: number of seeds of each question.
std::vector<uint32_t> SeedsOf(const Survey& survey);

// All or nothing: one wrong report and none is taken. The error may be shown to the sender.
Result<Submission> ParseSubmission(const Survey& survey, const std::string& fingerprint,
                                   const std::vector<uint32_t>& seeds, std::string_view body);

}  // namespace tacit::local
