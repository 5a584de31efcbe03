#pragma once

#include <string>
#include <string_view>

namespace tacit::wire {

// A public text as the server says it. The parts below know the command line's
// words: "--epsilon 1" becomes `epsilon` and the number. Numbers of more digits than anybody reads
// are rounded up, so that what was too much is still above its limit.
std::string Worded(std::string_view text, std::string_view epsilon);

// What kind of failure an engine's text tells of ("Out of Memory"), without the text, which may
// hold values; for the owner's log.
std::string FailureKind(std::string_view engine_text);

}  // namespace tacit::wire
