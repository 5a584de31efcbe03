#pragma once

#include "learn/model/model.h"

namespace tacit::learn {

// A page that shows a model: what each feature does over its public range, with what the noise and
// the luck of who is in the data leave open, and what was paid. It needs nothing beside itself.
std::string ModelPage(const LinearModel& model);

}  // namespace tacit::learn
