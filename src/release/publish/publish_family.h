#pragma once

#include "release/publish/publish.h"

namespace tacit::release {

// Two tables of which one belongs to the other, as the command line names them: parents are made
// first, with their number of children as one more column, then children for each.
struct FamilyRequest {
  SynthesisRequest parent;  // its epsilon and delta are those of both
  std::string child;
  std::vector<std::string> child_columns = {};  // none: all visible ones
};

struct FamilyPlan {
  Family family;
  SynthesisPlan parent;  // the last attribute is the number of children; the sheet is of both
  std::vector<Attribute> child;         // its parent's attributes first, without that number
  std::vector<Impossible> impossible;   // of children, over these attributes
  std::vector<std::string> rules = {};  // the same as the policy says it
  std::string question;

  size_t OfParent() const { return parent.attributes.size() - 1; }
  std::vector<Attribute> OwnOfChild() const;
  // What is left of the price after values were shown, shared out.
  Rho RhoOfParents() const;
  Rho RhoOfChildren() const;
};
Result<FamilyPlan> PlanFamily(const FamilyRequest& request, gateway::Services& services);

struct PublishedFamily {
  SyntheticFile parents;
  SyntheticFile children;  // in the order of their parents
  // Open ones with the values that were shown; the parents' without the number of children.
  std::vector<Attribute> parent_attributes;
  std::vector<Attribute> child_attributes;
  ledger::Receipt receipt;
};
// One charge for both; the same again is free and the same.
Result<PublishedFamily> PublishFamily(const FamilyPlan& plan, gateway::Services& services,
                                      const Progress& progress);

// How many children each made parent has.
std::vector<size_t> ChildrenOf(const SyntheticFile& parents);

// The files: parents have numbers from 1 on in place of their key, and children name them.
std::string ParentsCsv(const FamilyPlan& plan, const PublishedFamily& made);
std::string ChildrenCsv(const FamilyPlan& plan, const PublishedFamily& made);

}  // namespace tacit::release
