#pragma once

#include <optional>

#include "generate/choices.h"
#include "generate/features.h"
#include "scenes.h"

namespace tacit::adversary {

// A query as the generator wrote it.
struct Question {
  std::string text;
  std::vector<uint32_t> choices;
  Features features;
  bool uses_hidden = false;
  bool counts_hidden = false;
  bool wants_intervals = false;
  bool names_error = false;  // instead of a price
};
Question Write(Choices choices, const Scene& scene);

// Something that left, or moved, and must not have.
struct Violation {
  std::string kind;  // in a word or two: what shrinking keeps
  std::string text;
};

struct Outcome {
  bool accepted = false;
  std::string refused_by;  // the rule's name, or the error's text where it has none
  std::vector<Violation> violations;
  size_t releases = 0;  // whose exact values were compared
  size_t measures = 0;
  size_t moved = 0;  // releases in which the step is seen at all
};

// Asks the question in both worlds of the stage with the same tape, and compares everything.
// `number` is the tape's, and makes the price a little higher each time, so that no stored answer
// serves and every query is carried out.
Outcome Try(const Question& question, const Scene& scene, Stage& stage, uint64_t number);

}  // namespace tacit::adversary
