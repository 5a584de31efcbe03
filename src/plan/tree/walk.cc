#include "plan/tree/walk.h"

#include <algorithm>

#include "sql/walk.h"

namespace tacit::plan::tree {

bool PublicKey::CanBeNull() const {
  if (!outcomes.empty()) return false;
  if (sql::As<sql::ColumnReference>(expression.expression) == nullptr) return true;
  return std::any_of(sources.begin(), sources.end(),
                     [](const analysis::KeySource& source) { return source.with_null; });
}

void ForEachRelation(const Rows& rows, const std::function<void(const Rows&)>& visit) {
  if (const auto* join = As<Join>(rows)) {
    ForEachRelation(join->left, visit);
    ForEachRelation(join->right, visit);
    return;
  }
  if (const auto* query = As<PerPerson>(rows)) ForEachRelation(query->input, visit);
  if (const auto* united = As<Union>(rows)) {
    for (const PerPerson& part : united->parts) ForEachRelation(part.input, visit);
  }
  if (const auto* project = As<Project>(rows)) return ForEachRelation(project->input, visit);
  if (const auto* cap = As<UnitCap>(rows)) return ForEachRelation(cap->input, visit);
  if (const auto* listed = As<Listed>(rows)) return ForEachRelation(listed->input, visit);
  if (const auto* places = As<GroupPlaces>(rows)) return ForEachRelation(places->input, visit);
  visit(rows);
}

const std::string* NameOfScan(const Rows& relation) {
  if (const auto* scan = As<PublicScan>(relation)) return &scan->alias;
  if (const auto* scan = As<Scan>(relation)) return &scan->alias();
  if (const auto* cap = As<RowCap>(relation)) return &cap->scan.alias();
  if (const auto* stored = As<PreparedScan>(relation)) return &stored->scan.alias();
  const auto* scan = As<RowScan>(relation);
  return scan == nullptr ? nullptr : &scan->alias;
}

bool CarriesUnit(const Rows& rows, const std::string& relation) {
  if (const auto* join = As<Join>(rows)) {
    return CarriesUnit(join->left, relation) || CarriesUnit(join->right, relation);
  }
  if (const auto* scan = As<Scan>(rows)) return scan->alias() == relation;
  if (const auto* cap = As<RowCap>(rows)) return cap->scan.alias() == relation;
  if (const auto* stored = As<PreparedScan>(rows)) return stored->scan.alias() == relation;
  if (const auto* query = As<PerPerson>(rows)) return query->unit.relation() == relation;
  const auto* united = As<Union>(rows);
  return united != nullptr && united->unit.relation() == relation;
}

const Project& ProjectOf(const Rows& rows) {
  if (const auto* cap = As<UnitCap>(rows)) return ProjectOf(cap->input);
  if (const auto* listed = As<Listed>(rows)) return ProjectOf(listed->input);
  if (const auto* places = As<GroupPlaces>(rows)) return ProjectOf(places->input);
  return *As<Project>(rows);
}

Rows WithProject(const Rows& rows, const Project& project) {
  const auto over = [&](auto node) {
    node.input = WithProject(node.input, project);
    return Rows(RowsNode{std::move(node)});
  };
  if (const auto* cap = As<UnitCap>(rows)) return over(*cap);
  if (const auto* listed = As<Listed>(rows)) return over(*listed);
  if (const auto* places = As<GroupPlaces>(rows)) return over(*places);
  return Rows(RowsNode{project});
}

namespace {

class Reading {
 public:
  std::map<std::string, std::set<std::string>> found;

  void Read(const Typed& typed) {
    if (!typed) return;
    for (const sql::ColumnReference& column : sql::ColumnsIn(typed.expression)) Read(column);
  }
  void Read(const sql::ColumnReference& column) {
    if (column.column != analysis::kUnitColumn) found[column.table].insert(column.column);
  }
  void Read(const PerPerson& query) {
    Read(query.input);
    for (const auto* list : {&query.filters, &query.items, &query.group_by}) {
      for (const Typed& typed : *list) Read(typed);
    }
  }
  void Read(const Rows& rows) {
    if (const auto* join = As<Join>(rows)) {
      Read(join->left);
      Read(join->right);
      Read(join->on);
    } else if (const auto* query = As<PerPerson>(rows)) {
      Read(*query);
    } else if (const auto* united = As<Union>(rows)) {
      for (const PerPerson& part : united->parts) Read(part);
    } else if (const auto* project = As<Project>(rows)) {
      Read(project->input);
      for (const Typed& filter : project->filters) Read(filter);
      for (const ProjectedColumn& column : project->columns) Read(column.value);
    } else if (const auto* row_cap = As<UnitCap>(rows)) {
      Read(row_cap->input);
    } else if (const auto* listed = As<Listed>(rows)) {
      Read(listed->input);
      Read(listed->keys);
    } else if (const auto* places = As<GroupPlaces>(rows)) {
      Read(places->input);
    }
  }
  void Read(const KeyList& list) {
    for (const PublicKey& key : list->keys) {
      Read(key.expression);
      for (const analysis::KeySource& source : key.sources) Read(source.column);
    }
    for (const Typed& filter : list->filters) Read(filter);
  }
};

}  // namespace

std::map<std::string, std::set<std::string>> ColumnsRead(const ExactNode& exact) {
  Reading reading;
  reading.Read(exact.groups.rows);
  if (exact.all_of) reading.Read(exact.all_of);
  return reading.found;
}

const GroupPlaces* PlacesOf(const Rows& rows) {
  if (const auto* listed = As<Listed>(rows)) return PlacesOf(listed->input);
  return As<GroupPlaces>(rows);
}

bool UsesDeploymentKey(const ExactNode& exact) {
  bool uses = false;
  ForEachRelation(exact.groups.rows,
                  [&](const Rows& relation) { uses = uses || As<RowCap>(relation); });
  return uses;
}

const KnownColumn* Names::Find(const sql::ColumnReference& name) const {
  for (const KnownColumn& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

}  // namespace tacit::plan::tree
