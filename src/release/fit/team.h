#pragma once

#include <functional>

namespace tacit::release {

// Calls work(0) ... work(parts - 1), each once, by at most so many threads. What a part does must
// not depend on the others: the result is then the same for any number of threads.
void InParts(size_t parts, size_t threads, const std::function<void(size_t)>& work);

}  // namespace tacit::release
