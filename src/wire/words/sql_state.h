#pragma once

#include <string>

#include "base/error.h"

namespace tacit::wire {

// The SQLSTATE of an error, by whichever protocol it is told.
std::string StateOf(const Error& error);

}  // namespace tacit::wire
