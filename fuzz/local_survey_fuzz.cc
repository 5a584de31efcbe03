// What strangers post and what owners write: nothing crashes, and what passes is whole.

#include <cstddef>
#include <cstdint>
#include <string>

#include "local/survey/submission.h"
#include "local/survey/survey.h"

namespace tacit::local {
namespace {

const Survey& FixedSurvey() {
  static const Survey survey =
      ParseSurvey(
          "tacit_survey: 1\ntitle: T\nstorage: s\nepsilon_max: 3\nquestions:\n"
          "  - {id: a, text: A, kind: yes_no, epsilon: 1}\n"
          "  - {id: b, text: B, kind: choice, mechanism: olh, options: [x, y, z], epsilon: 1}\n"
          "  - {id: c, text: C, kind: several, options: [x, y, z], epsilon: 1}\n",
          "fixed")
          .value();
  return survey;
}

}  // namespace
}  // namespace tacit::local

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace tacit::local;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const Survey& survey = FixedSurvey();
  static const std::vector<uint32_t> seeds = SeedsOf(survey);
  // A short name in place of the fingerprint, which no fuzzer would guess.
  const auto submission = ParseSubmission(survey, "f", seeds, text);
  if (submission.ok()) TACIT_ASSERT(!submission->reports.empty());
  const auto owned = ParseSurvey(text, "input");
  if (owned.ok()) TACIT_ASSERT(TotalEpsilon(*owned).value <= owned->epsilon_max);
  return 0;
}
