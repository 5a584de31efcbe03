#pragma once

#include "policy/policy.h"
#include "policy/schema.h"
#include "release/domain/domain.h"
#include "sql/tree.h"

namespace tacit::release {

// Where the rows of a release come from, as SQL says it, and what each attribute is there.
struct Source {
  sql::Relation from;
  std::vector<sql::Expression> columns;  // by attribute
};

// One table, by itself.
Source SourceOf(const policy::Table& table, const std::vector<Attribute>& attributes);

// Two tables, of which the second names its parent in the first by a key.
struct Family {
  const policy::Table* parent = nullptr;
  const policy::Table* child = nullptr;
  std::string key;  // of the parent
  std::string via;  // of the child
};
// kInvalidArgument where the policy does not lead from a row of the child to one of the parent.
Result<Family> FamilyOf(const policy::Policy& policy, const std::string& parent,
                        const std::string& child);

// How many children of a parent count, as one more attribute of it.
Attribute ChildrenAttribute(const Family& family);

// Rows of a table beside how many rows of another, or of the same, have their key.
struct Counting {
  std::string rows;     // a table
  std::string key;      // of it
  std::string counted;  // a table
  std::string via;      // of that
};
enum class JoinedBy { kInner, kLeft };  // whether rows without any are there, with none
// The last attribute is the number.
Result<Source> CountedSource(const Counting& counting, JoinedBy joined,
                             const std::vector<Attribute>& attributes);
// Rows of the parent; the last attribute is its number of children.
Result<Source> ParentSource(const Family& family, const std::vector<Attribute>& attributes);
// Rows of the child; the first `of_parent` attributes are its parent's.
Result<Source> ChildSource(const Family& family, const std::vector<Attribute>& attributes,
                           size_t of_parent);

}  // namespace tacit::release
