#include "release/publish/publish_family.h"

#include "release/children.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

// Parents are what the children hang on; children have the noise of all their parent's rows.
const Rational kForParents(2, 5);

Error NotTheseFiles() {
  return Error{.code = ErrorCode::kInternal,
               .public_message = "the stored release cannot be read",
               .hint = "",
               .position = std::nullopt,
               .private_detail = "a family of another shape"};
}

// Two files, the length of the first before them.
std::string Joined(const std::string& parents, const std::string& children) {
  const std::string length = std::to_string(parents.size());
  return length + "\n" + parents + children;
}

std::vector<ColumnShape> Shapes(const std::vector<Attribute>& attributes) {
  std::vector<ColumnShape> shapes;
  for (const Attribute& attribute : attributes) shapes.push_back(attribute.Shape());
  return shapes;
}

MadeParents ParentsIn(const SyntheticFile& file) {
  MadeParents parents{.codes = file.table.codes, .children = ChildrenOf(file)};
  parents.codes.pop_back();
  return parents;
}

}  // namespace

Result<FamilyPlan> PlanFamily(const FamilyRequest& request, gateway::Services& services) {
  FamilyPlan plan;
  TACIT_TRY(const policy::Table* const parent,
            ProtectedTable(request.parent.table, services.policy));
  TACIT_TRY(plan.family, FamilyOf(services.policy, parent->name, request.child));
  TACIT_TRY(plan.parent, PlanSynthesis(request.parent, services));
  TACIT_CHECK(RefuseOpen(plan.parent.attributes, *parent));
  plan.child = plan.parent.attributes;
  TACIT_TRY(const std::vector<Attribute> own,
            AttributesOf(services.policy, services.schema, *plan.family.child,
                         request.child_columns, services.engine));
  TACIT_CHECK(RefuseOpen(own, *plan.family.child));
  plan.child.insert(plan.child.end(), own.begin(), own.end());
  plan.parent.attributes.push_back(ChildrenAttribute(plan.family));
  // Room for as many children as parents may have: they are kept together.
  const auto most = static_cast<size_t>(plan.family.child->rows_per_unit);
  const size_t together = kStoredBytesMax / StoredRowsMax(plan.parent.attributes) + 1 +
                          most * (kStoredBytesMax / StoredRowsMax(own) + 1);
  plan.parent.wish.rows_max = kStoredBytesMax / together;
  plan.rho_of_children = Rho(Rational(plan.parent.price.rho.value * Rational(1 - kForParents)));
  plan.question = "family 1\n" + plan.parent.question;
  for (SheetLine& line : plan.parent.sheet) {
    line.rho *= kForParents;
    line.noise = "";
  }
  plan.parent.sheet.push_back({"children's columns, with each other and with their parent's",
                               plan.rho_of_children.value, ""});
  return plan;
}

// proof: release/proof.md#7-two-tables
Result<PublishedFamily> PublishFamily(const FamilyPlan& plan, gateway::Services& services,
                                      const Progress& progress) {
  std::vector<Question> questions;
  TACIT_TRY(const Source parents, ParentSource(plan.family, plan.parent.attributes));
  TACIT_TRY(const Source children, ChildSource(plan.family, plan.child, plan.OfParent()));
  TACIT_TRY(CodedRows parent_rows,
            CodedRowsOf(services.policy, services.schema, parents, plan.parent.attributes));
  TACIT_TRY(CodedRows child_rows,
            CodedRowsOf(services.policy, services.schema, children, plan.child));
  const Moved parents_move = parent_rows.moved;
  const Moved children_move = child_rows.moved;
  questions.push_back({plan.parent.attributes, std::move(parent_rows)});
  questions.push_back({plan.child, std::move(child_rows)});
  SynthesisPlan for_parents = plan.parent;
  for_parents.price.rho = Rho(Rational(plan.parent.price.rho.value * kForParents));
  const auto run = [&](std::vector<ExactTable>& exact, Entropy& entropy) {
    const SyntheticFile made = MakeFile(for_parents, parents_move, exact[0], entropy, progress);
    SyntheticFile of_children;
    of_children.table = SynthesizeChildren(exact[1].joint, Shapes(plan.child), ParentsIn(made),
                                           children_move, plan.rho_of_children, entropy, progress);
    of_children.seed = entropy.NextWord();
    return Joined(ToBytes(made), ToBytes(of_children));
  };
  TableRelease release(std::move(questions), plan.parent.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  const size_t end = answer.bytes.find('\n');
  if (end == std::string::npos || end > 18) return NotTheseFiles();
  const size_t length = std::stoull(answer.bytes.substr(0, end));
  if (length > answer.bytes.size() - end - 1) return NotTheseFiles();
  PublishedFamily made{
      .parents = {},
      .children = {},
      .child_attributes = {plan.child.begin() + static_cast<std::ptrdiff_t>(plan.OfParent()),
                           plan.child.end()},
      .receipt = answer.receipt};
  std::vector<Attribute> attributes = plan.parent.attributes;
  TACIT_TRY(made.parents, FromBytes(answer.bytes.substr(end + 1, length), attributes));
  TACIT_TRY(made.children, FromBytes(answer.bytes.substr(end + 1 + length), made.child_attributes));
  return made;
}

std::vector<size_t> ChildrenOf(const SyntheticFile& parents) {
  std::vector<size_t> children;
  const size_t cells = parents.table.cells.back();
  for (const uint16_t code : parents.table.codes.back()) {
    // The last cell is NULL, which a number of children never is.
    children.push_back(code + 1u < cells ? code : 0);
  }
  return children;
}

std::string ParentsCsv(const FamilyPlan& plan, const PublishedFamily& made) {
  SyntheticFile file = made.parents;
  std::vector<Attribute> attributes = plan.parent.attributes;
  attributes.pop_back();
  file.table.codes.pop_back();
  KeyColumn key{.name = plan.family.key, .numbers = {}};
  for (size_t p = 0; p < file.rows(); ++p) key.numbers.push_back(p + 1);
  return ToCsv(file, attributes, key);
}

std::string ChildrenCsv(const FamilyPlan& plan, const PublishedFamily& made) {
  KeyColumn key{.name = plan.family.via, .numbers = {}};
  const std::vector<size_t> children = ChildrenOf(made.parents);
  for (size_t p = 0; p < children.size(); ++p) {
    key.numbers.insert(key.numbers.end(), children[p], p + 1);
  }
  return ToCsv(made.children, made.child_attributes, key);
}

}  // namespace tacit::release
