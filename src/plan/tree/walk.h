#pragma once

#include <functional>
#include <map>
#include <set>

#include "plan/tree/tree.h"

namespace tacit::plan::tree {

// Calls `visit` on every relation that rows are joined from, insides first, left to right: scans,
// literals, and queries inside each person after what they read.
void ForEachRelation(const Rows& rows, const std::function<void(const Rows&)>& visit);

// The name of a scan of a stored table; null for every other relation.
const std::string* NameOfScan(const Rows& relation);

// Whether a relation of that name inside the rows carries the rows' unit, or NULL where an outer
// join misses it. What stands below a query inside each person does not: its names end there.
bool CarriesUnit(const Rows& rows, const std::string& relation);

// The Project that the groups are made of.
const Project& ProjectOf(const Rows& rows);
// The same rows over another Project.
Rows WithProject(const Rows& rows, const Project& project);

// Where rows have places in their unit's groups; null where nothing is capped by them.
const GroupPlaces* PlacesOf(const Rows& rows);

// Which stored columns are read, by the relation's name; the carried unit is not among them.
std::map<std::string, std::set<std::string>> ColumnsRead(const ExactNode& exact);

// Whether rows are capped by the keyed hash anywhere: the deployment's key is then the last
// parameter.
bool UsesDeploymentKey(const ExactNode& exact);

}  // namespace tacit::plan::tree
