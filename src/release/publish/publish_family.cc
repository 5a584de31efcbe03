#include "release/publish/publish_family.h"

#include "release/children.h"
#include "release/domain/size.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

// Parents are what the children hang on; children have the noise of all their parent's rows.
const Rational kForParents(2, 5);

// Two files, the length of the first before them.
std::string Joined(const std::string& parents, const std::string& children) {
  const std::string length = std::to_string(parents.size());
  return length + "\n" + parents + children;
}

MadeParents ParentsIn(const SyntheticFile& file) {
  MadeParents parents{.codes = file.table.codes, .children = ChildrenOf(file)};
  parents.codes.pop_back();
  return parents;
}

// The questions to the engine: parents with their number of children, and children.
Result<std::vector<Question>> QuestionsOf(const FamilyPlan& plan,
                                          const gateway::Services& services) {
  TACIT_TRY(const Source parents, ParentSource(plan.family, plan.parent.attributes));
  TACIT_TRY(const Source children, ChildSource(plan.family, plan.child, plan.OfParent()));
  TACIT_TRY(CodedRows parent_rows,
            CodedRowsOf(services.policy, services.schema, parents, plan.parent.attributes));
  TACIT_TRY(CodedRows child_rows,
            CodedRowsOf(services.policy, services.schema, children, plan.child));
  std::vector<Question> questions;
  questions.push_back({plan.parent.attributes, std::move(parent_rows)});
  questions.push_back({plan.child, std::move(child_rows)});
  return questions;
}

Sheet SheetOfBoth(const FamilyPlan& plan, const std::vector<Question>& questions) {
  const MovedRows parents_move{.moved = questions[0].coded.moved};
  const MovedRows children_move{.moved = questions[1].coded.moved};
  Sheet sheet = ShowingSheet(plan.parent.showing, children_move);
  const std::vector<ColumnShape> shapes = plan.parent.Shapes(plan.parent.attributes);
  const Sheet of_parents =
      StepsSheet(SharesOf(shapes, plan.parent.wish), shapes.size(), plan.parent.wish.workload,
                 plan.RhoOfParents().value, parents_move, " of " + plan.family.parent->name);
  const Sheet of_children = StepsSheet(
      SharesOfChildren(plan.child.size(), plan.OfParent()), plan.child.size(), Workload::kPairs,
      plan.RhoOfChildren().value, children_move, " of " + plan.family.child->name);
  sheet.insert(sheet.end(), of_parents.begin(), of_parents.end());
  sheet.insert(sheet.end(), of_children.begin(), of_children.end());
  return sheet;
}

// The children's own columns, cut where their rules change, after their parent's; and the rules.
Result<Done> AddChild(const FamilyRequest& request, gateway::Services& services, FamilyPlan& plan) {
  const policy::Table& child = *plan.family.child;
  TACIT_TRY(std::vector<Attribute> own, AttributesOf(services.policy, services.schema, child,
                                                     request.child_columns, services.engine));
  TACIT_TRY(const std::vector<Condition> rules, RulesOf(child, services.schema, own));
  for (const Condition& rule : rules) rule.Cut(own);
  plan.child = plan.parent.attributes;
  for (const Condition& rule : rules) {
    Impossible& sets = plan.impossible.emplace_back(rule.Sets(own));
    for (size_t& column : sets.columns) column += plan.child.size();
  }
  plan.rules = child.impossible;
  plan.child.insert(plan.child.end(), own.begin(), own.end());
  return CheckCells(plan.child);
}

// Children as the parents' run left them: values are shown, then rows are made.
SyntheticFile MakeChildren(const FamilyPlan& plan, const Moved& moved, ExactTable& exact,
                           SyntheticFile& parents, Entropy& entropy, const Progress& progress) {
  SyntheticFile file;
  std::vector<Attribute> attributes = plan.child;
  for (size_t i = 0; i < exact.open.size(); ++i) {
    const OpenColumn& open = exact.open[i];
    const bool of_parent = i < parents.shown.size();
    if (of_parent) {
      CodeBy(parents.shown[i], open, exact.joint);
    } else {
      file.shown.push_back(ShowValues(open, moved, plan.parent.showing.each, exact.joint, entropy));
    }
    attributes[open.column] =
        WithValues(attributes[open.column], of_parent ? parents.shown[i] : file.shown.back());
  }
  std::vector<ColumnShape> shapes = ShapesOf(attributes);
  AddCuts(plan.impossible, shapes);
  MadeParents made = ParentsIn(parents);
  file.table = SynthesizeChildren(exact.joint, shapes, plan.impossible, moved, plan.RhoOfChildren(),
                                  plan.parent.wish.threads, made, entropy, progress);
  for (size_t p = 0; p < made.children.size(); ++p) {
    parents.table.codes.back()[p] = static_cast<uint16_t>(made.children[p]);
  }
  file.seed = entropy.NextWord();
  return file;
}

}  // namespace

std::vector<Attribute> FamilyPlan::OwnOfChild() const {
  return {child.begin() + static_cast<std::ptrdiff_t>(OfParent()), child.end()};
}

Rho FamilyPlan::RhoOfParents() const {
  return Rho(Rational(parent.showing.left.value * kForParents));
}

Rho FamilyPlan::RhoOfChildren() const {
  return Rho(Rational(parent.showing.left.value * Rational(1 - kForParents)));
}

Result<FamilyPlan> PlanFamily(const FamilyRequest& request, gateway::Services& services) {
  FamilyPlan plan;
  TACIT_TRY(const policy::Table* const parent,
            ProtectedTable(request.parent.table, services.policy));
  TACIT_TRY(plan.family, FamilyOf(services.policy, parent->name, request.child));
  if (request.parent.rows_per_unit) {
    return InvalidArgument("--rows-per-unit weighs the rows of one table, and here are two",
                           "leave it out: children count within the policy's rows_per_unit");
  }
  TACIT_TRY(plan.parent, PlanSynthesis(request.parent, services));
  TACIT_CHECK(AddChild(request, services, plan));
  plan.parent.attributes.push_back(ChildrenAttribute(plan.family));
  const size_t open = OpenIn(plan.child);  // with the parent's
  TACIT_TRY(plan.parent.price, PriceOf(request.parent.epsilon, request.parent.delta,
                                       services.policy.privacy, open > 0));
  plan.parent.showing = ShowingBudgetOf(plan.parent.price, open);
  // Room for as many children as parents may have: they are kept together.
  const auto most = static_cast<size_t>(plan.family.child->rows_per_unit);
  const size_t together = kStoredBytesMax / StoredRowsMax(plan.parent.attributes) + 1 +
                          most * (kStoredBytesMax / StoredRowsMax(plan.OwnOfChild()) + 1);
  plan.parent.wish.rows_max = kStoredBytesMax / together;
  plan.question = "family 2\n" + plan.parent.question;
  for (const std::string& rule : plan.rules) plan.question += "\nchildren impossible " + rule;
  TACIT_TRY(const std::vector<Question> questions, QuestionsOf(plan, services));
  plan.parent.sheet = SheetOfBoth(plan, questions);
  return plan;
}

// proof: release/proof.md#7-two-tables
Result<PublishedFamily> PublishFamily(const FamilyPlan& plan, gateway::Services& services,
                                      const Progress& progress) {
  TACIT_TRY(std::vector<Question> questions, QuestionsOf(plan, services));
  const Moved parents_move = questions[0].coded.moved;
  const Moved children_move = questions[1].coded.moved;
  const auto run = [&](std::vector<ExactTable>& exact, Entropy& entropy) {
    SyntheticFile parents = MakeFile(plan.parent, plan.RhoOfParents(), parents_move, exact[0],
                                     entropy, Between(progress, 0, 50));
    const SyntheticFile children =
        MakeChildren(plan, children_move, exact[1], parents, entropy, Between(progress, 50, 100));
    return Joined(ToBytes(parents), ToBytes(children));
  };
  TableRelease release(std::move(questions), plan.parent.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  const Error other = NotTheseBytes("a family of another shape");
  const size_t end = answer.bytes.find('\n');
  if (end == std::string::npos || end > 18) return other;
  const size_t length = std::stoull(answer.bytes.substr(0, end));
  if (length > answer.bytes.size() - end - 1) return other;
  PublishedFamily made{.parents = {},
                       .children = {},
                       .parent_attributes = plan.parent.attributes,
                       .child_attributes = plan.OwnOfChild(),
                       .receipt = answer.receipt};
  TACIT_TRY(made.parents, FromBytes(answer.bytes.substr(end + 1, length), made.parent_attributes));
  made.parent_attributes.pop_back();
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
  file.table.codes.pop_back();
  RowNumbers key{.name = plan.family.key, .numbers = {}};
  for (size_t p = 0; p < file.rows(); ++p) key.numbers.push_back(p + 1);
  return ToCsv(file, made.parent_attributes, key);
}

std::string ChildrenCsv(const FamilyPlan& plan, const PublishedFamily& made) {
  RowNumbers key{.name = plan.family.via, .numbers = {}};
  const std::vector<size_t> children = ChildrenOf(made.parents);
  for (size_t p = 0; p < children.size(); ++p) {
    key.numbers.insert(key.numbers.end(), children[p], p + 1);
  }
  return ToCsv(made.children, made.child_attributes, key);
}

}  // namespace tacit::release
