#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

// Files of a deployment, written so that a crash leaves the old one or the new one.

namespace tacit::owner {

// By errno.
Error CannotWrite(const std::string& path);

// Written, synced and closed, or an error; never over a file that is there.
Result<Done> WriteNewFile(const std::string& path, std::string_view bytes, mode_t mode);

// Renames a finished file over another, or to a new name, on stable storage.
Result<Done> MoveFile(const std::string& from, const std::string& to);

// Exchanges the bytes of a file at once; mode and owner stay what they are.
Result<Done> ReplaceFile(const std::string& path, std::string_view bytes);

Result<Done> SyncFile(const std::string& path);
Result<Done> SyncFolder(const std::string& path);

}  // namespace tacit::owner
