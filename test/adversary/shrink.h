#pragma once

#include "trial.h"

namespace tacit::adversary {

// A simpler question with a violation of the same kind, found by dropping and lowering choices.
// `number` counts on from the question's own.
Question Shrink(const Question& question, const std::string& kind, const Scene& scene, Stage& stage,
                uint64_t number);

}  // namespace tacit::adversary
