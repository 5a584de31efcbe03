#include "harness/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tacit::golden {

Result<std::vector<SentStatement>> ReadCorpus(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".sql") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<SentStatement> all;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path);
    const std::string tool = path.stem().string();
    SentStatement one{.tool = tool, .name = "", .expected = "", .sql = ""};
    const auto end = [&] {
      if (!one.sql.empty()) all.push_back(one);
      if (!one.sql.empty()) one = {.tool = tool, .name = "", .expected = "", .sql = ""};
    };
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("-- " + tool + " ")) {
        one.name = line.substr(3);
      } else if (line.starts_with("-- expect ")) {
        one.expected = line.substr(10);
      } else if (line.empty()) {
        end();
      } else if (!one.expected.empty()) {
        one.sql += (one.sql.empty() ? "" : "\n") + line;
      }
    }
    end();
  }
  if (all.empty()) return InvalidArgument("there is no corpus in " + folder);
  return all;
}

}  // namespace tacit::golden
