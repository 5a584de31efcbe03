#include "gateway/learning/roles.h"

namespace tacit::gateway::learning {
namespace {

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    if (c == ',') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  for (std::string& name : names) {
    const size_t first = name.find_first_not_of(" \t\r\n");
    name = first == std::string::npos
               ? ""
               : name.substr(first, name.find_last_not_of(" \t\r\n") - first + 1);
  }
  return names;
}

}  // namespace

Error WrongOption(const std::string& message, const std::string& hint) {
  return Error{.code = ErrorCode::kInvalidQuery,
               .public_message = message,
               .hint = hint,
               .position = std::nullopt,
               .private_detail = ""};
}

const std::string* OptionOf(const sql::LearnCall& call, const char* name) {
  for (const auto& [option, value] : call.options) {
    if (option == name) return &value;
  }
  return nullptr;
}

Result<Roles> ReadRoles(const sql::LearnCall& call, const RowsToLearn& rows) {
  const std::string* target = OptionOf(call, "target");
  if (target == nullptr) {
    return WrongOption("tacit." + call.task + " needs to know what to explain",
                       "add target => 'column', the name of one of the columns of the rows");
  }
  Roles roles;
  TACIT_TRY(roles.target, ColumnNamed(*target, rows));
  const std::string* features = OptionOf(call, "features");
  for (size_t i = 0; features == nullptr && i < rows.shape.size(); ++i) {
    if (i != roles.target) roles.features.insert(i);
  }
  for (const std::string& name :
       features == nullptr ? std::vector<std::string>() : SplitAtCommas(*features)) {
    TACIT_TRY(const size_t column, ColumnNamed(name, rows));
    if (column == roles.target || !roles.features.insert(column).second) {
      return WrongOption("features names " + name + " twice, or the target",
                         "name each column once");
    }
  }
  if (roles.features.empty()) {
    return WrongOption("there is nothing to explain " + *target + " by",
                       "give the rows more columns: 'SELECT income, age FROM people'");
  }
  return roles;
}

}  // namespace tacit::gateway::learning
