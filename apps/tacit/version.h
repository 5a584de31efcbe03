#pragma once

#include <string>

namespace tacit::app {

// "tacit 0.1.0", with the commit that it was built from where that is known.
std::string ShortVersion();

// The same, and a line for each library whose faults would be the program's.
std::string LongVersion();

}  // namespace tacit::app
