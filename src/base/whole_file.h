#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Files and texts in lines, without the library's streams: where memory is refused or a disk fails,
// those end as if there was no more, and half of a file would be taken for all of it.
namespace tacit {

// All bytes of a file; nothing if it cannot be opened or not be read to its end, and errno says
// why. Of one with more than `bytes_max` bytes it is so many and one more. Throws std::bad_alloc.
std::optional<std::string> WholeFile(const std::string& path, size_t bytes_max = SIZE_MAX - 1);

// The last bytes of a file, at most so many; nothing as above.
std::optional<std::string> EndOfFile(const std::string& path, size_t bytes_max);

// Without their ends; an empty text has none, and an end behind the last one begins no other.
std::vector<std::string_view> LinesOf(std::string_view text);

}  // namespace tacit
