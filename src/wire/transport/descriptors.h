#pragma once

#include <cstddef>

namespace tacit::wire {

// Raises the number of files and sockets that this process may have open as far as the system lets
// it, and says how many those are.
size_t RaiseDescriptorLimit();

}  // namespace tacit::wire
