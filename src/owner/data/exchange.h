#pragma once

#include <string>

#include "base/result.h"

namespace tacit::owner {

// Database and policy are exchanged together: both wait, finished, in a folder that appears at once
// under its name (PATH-changed). Whoever finds it there moves them into place.
struct Exchange {
  static std::string FolderOf(const std::string& data_path) { return data_path + "-changed"; }
  static constexpr char kData[] = "data";
  static constexpr char kPolicy[] = "tacit.yaml";
};

// `ready` holds both, finished and synced. From here on the change has happened.
Result<Done> BeginExchange(const std::string& ready, const std::string& data_path);

// Moves what waits into place, and removes the prepared copy of the data that was. False: nothing
// waited.
Result<bool> FinishExchange(const std::string& data_path, const std::string& policy_file);

}  // namespace tacit::owner
