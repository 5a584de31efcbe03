#include "owner/edit_policy.h"

#include <fstream>
#include <sstream>

#include "owner/data/change.h"
#include "owner/files.h"
#include "policy/load.h"

namespace tacit::owner {

Result<policy::Policy> EditPolicy(
    const std::string& path,
    const std::function<Result<std::string>(const std::string& text, const policy::Policy& policy)>&
        edit) {
  TACIT_TRY(const policy::Policy before, LoadDeployment(path));
  std::ifstream stream(before.file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  TACIT_TRY(const std::string edited, edit(text.str(), before));
  TACIT_TRY(policy::Policy after, policy::Parse(edited, before.file));
  TACIT_CHECK(ReplaceFile(before.file, edited));
  return after;
}

}  // namespace tacit::owner
