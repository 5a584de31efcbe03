#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace tacit::engine::duckdb {

// Which file it is and when it was written: changes whenever it is written or replaced.
std::string IdentityOf(const struct stat& status);

// Of a database: changes whenever the file or its write-ahead log is written or replaced. Nothing
// when there is no such file.
std::optional<std::string> FileIdentity(const std::string& path);

}  // namespace tacit::engine::duckdb
