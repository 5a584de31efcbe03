#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace tacit::engine::duckdb {

// Why 100,000: more take longer to look at before each question than to read.
inline constexpr size_t kFilesMax = 100'000;

// The files that a pattern means now, sorted, each by its whole path. `*`, `?` and `[...]` stand
// for parts of a name, `**` for any number of folders. As those who write such folders have it,
// none of them stands for the `.` or `_` at the beginning of a name: what is half written is called
// so. Symbolic links are followed, but not by `**`.
//
// kInvalidArgument for a pattern that nothing matches, and for what is no file, cannot be read, may
// be written by everybody, has a name that the engine would take for a pattern, or is another one's
// file under a second name: its rows would count twice.
Result<std::vector<std::string>> FindFiles(const std::string& pattern);

}  // namespace tacit::engine::duckdb
