#include "owner/edit_policy.h"

#include "base/whole_file.h"
#include "owner/data/change.h"
#include "owner/files.h"
#include "policy/load.h"

namespace tacit::owner {

Result<policy::Policy> EditPolicy(
    const std::string& path,
    const std::function<Result<std::string>(const std::string& text, const policy::Policy& policy)>&
        edit) {
  TACIT_TRY(const policy::Policy before, LoadDeployment(path));
  const std::optional<std::string> text = WholeFile(before.file);
  if (!text) return InvalidArgument("cannot read " + before.file + " to its end");
  TACIT_TRY(const std::string edited, edit(*text, before));
  TACIT_TRY(policy::Policy after, policy::Parse(edited, before.file));
  TACIT_CHECK(ReplaceFile(before.file, edited));
  return after;
}

}  // namespace tacit::owner
