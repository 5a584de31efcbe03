#include "anonymize/anonymize.h"

#include <algorithm>
#include <numeric>

#include "anonymize/partition/mondrian.h"
#include "anonymize/partition/redact.h"

namespace tacit::anonymize {
namespace {

Result<Done> CheckRequirement(const Request& request) {
  const Requirement& wish = request.requirement;
  if (request.quasi_identifiers.empty()) {
    return InvalidArgument("there are no quasi-identifiers",
                           "--qi names the columns that a reader may know: age, sex, ZIP code");
  }
  if (wish.k < 1) return InvalidArgument("k must be at least 1");
  if (!(wish.l >= 1)) return InvalidArgument("l must be at least 1");
  if (!(wish.t >= 0 && wish.t <= 1)) return InvalidArgument("t must be from 0 to 1");
  if (wish.LooksAtSensitive() && request.sensitive.empty()) {
    return InvalidArgument("l and t need a sensitive column", "name it with --sensitive");
  }
  return Done{};
}

// Every column has one role, and a column named twice is an error.
Result<std::vector<Role>> RolesOf(const Table& table, const Request& request) {
  std::vector<Role> roles(table.columns.size(), Role::kRedacted);
  const auto give = [&](const std::string& name, Role role) -> Result<Done> {
    TACIT_TRY(const size_t column, table.IndexOf(name));
    if (roles[column] == Role::kQuasiIdentifier && role == Role::kSensitive) {
      return InvalidArgument("the sensitive column \"" + name + "\" is among the quasi-identifiers",
                             "what a reader knows already is a quasi-identifier; what they must "
                             "not learn is sensitive; a column is one or the other");
    }
    if (roles[column] != Role::kRedacted) {
      return InvalidArgument("the column \"" + name + "\" is named twice");
    }
    roles[column] = role;
    return Done{};
  };
  for (const std::string& name : request.quasi_identifiers) {
    TACIT_CHECK(give(name, Role::kQuasiIdentifier));
  }
  if (!request.sensitive.empty()) TACIT_CHECK(give(request.sensitive, Role::kSensitive));
  for (const std::string& name : request.keep) TACIT_CHECK(give(name, Role::kKept));
  return roles;
}

}  // namespace

std::vector<uint32_t> AllRows(const Table& table) {
  std::vector<uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

Result<std::vector<Domain>> MakeDomains(const Table& table, const std::vector<std::string>& names,
                                        const ColumnRules& rules) {
  for (const auto& [name, path] : rules.hierarchies) {
    TACIT_CHECK(table.IndexOf(name));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return InvalidArgument("there is a hierarchy for \"" + name +
                             "\", which is not a quasi-identifier");
    }
  }
  for (const std::string& name : rules.categories) TACIT_CHECK(table.IndexOf(name));
  std::vector<Domain> domains;
  for (const std::string& name : names) {
    TACIT_TRY(const size_t column, table.IndexOf(name));
    DomainOptions options{.wish = rules.categories.contains(name) ? DomainOptions::Wish::kCategory
                                                                  : DomainOptions::Wish::kAuto,
                          .hierarchy = nullptr,
                          .missing = rules.missing};
    const auto declared = rules.hierarchies.find(name);
    if (declared != rules.hierarchies.end()) {
      TACIT_TRY(Hierarchy hierarchy, ReadHierarchy(declared->second));
      options.hierarchy = std::make_shared<const Hierarchy>(std::move(hierarchy));
    }
    TACIT_TRY(Domain domain, MakeDomain(table, column, options));
    domains.push_back(std::move(domain));
  }
  return domains;
}

Result<Domain> MakeSensitiveDomain(const Table& table, const std::string& name,
                                   const ColumnRules& rules) {
  TACIT_TRY(const size_t column, table.IndexOf(name));
  DomainOptions options{
      .wish = DomainOptions::Wish::kCategory, .hierarchy = nullptr, .missing = rules.missing};
  if (!rules.categories.contains(name)) {
    options.wish = DomainOptions::Wish::kAuto;
    Result<Domain> ordered = MakeDomain(table, column, options);
    if (ordered.ok()) return ordered;
    options.wish = DomainOptions::Wish::kCategory;
  }
  return MakeDomain(table, column, options);
}

Result<Release> Anonymize(const Table& table, const Request& request) {
  TACIT_CHECK(CheckRequirement(request));
  Release release;
  TACIT_TRY(release.roles, RolesOf(table, request));
  for (const std::string& name : request.quasi_identifiers) {
    TACIT_TRY(const size_t column, table.IndexOf(name));
    release.columns.push_back(column);
  }
  TACIT_TRY(release.domains, MakeDomains(table, request.quasi_identifiers, request.rules));

  const std::vector<uint32_t> rows = AllRows(table);
  std::optional<Domain> values;
  std::optional<SensitiveColumn> sensitive;
  Requirement requirement = request.requirement;
  if (!request.sensitive.empty()) {
    TACIT_TRY(values, MakeSensitiveDomain(table, request.sensitive, request.rules));
    requirement.distance = DistanceFor(*values);
    sensitive.emplace(values->codes, values->size(), rows, requirement.distance);
  }
  SensitiveColumn* const looked_at = sensitive ? &*sensitive : nullptr;
  TACIT_TRY(release.classes, request.method == Method::kMondrian
                                 ? Mondrian(release.domains, rows, requirement, looked_at)
                                 : RedactColumns(release.domains, rows, requirement, looked_at));
  release.measures = Measure(release.domains, release.classes, looked_at);
  return release;
}

}  // namespace tacit::anonymize
