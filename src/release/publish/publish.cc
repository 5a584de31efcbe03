#include "release/publish/publish.h"

#include "release/domain/size.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

const char* NameOf(Method method) {
  switch (method) {
    case Method::kMixture:
      return "mixture";
    case Method::kDirect:
      return "direct";
    case Method::kAdaptive:
      return "adaptive";
    case Method::kMwem:
      return "mwem";
  }
  return "";
}

std::string QuestionOf(const SynthesisPlan& plan, const policy::Table& table) {
  const SynthesisWish& wish = plan.wish;
  std::string text = std::string("synthetic rows 2 ") + NameOf(wish.method);
  text += wish.workload == Workload::kTriples ? " triples" : " pairs";
  if (wish.rows) text += " rows " + std::to_string(*wish.rows);
  for (const WorkloadQuery& query : plan.workload) text += "\nquery " + query.text;
  for (const std::string& rule : table.impossible) text += "\nimpossible " + rule;
  if (plan.weights) text += "\nweighed " + std::to_string(plan.weights->counted);
  return text;
}

// The one question to the engine.
Result<CodedRows> RowsOf(const SynthesisPlan& plan, const policy::Table& table,
                         gateway::Services& services) {
  Source source = SourceOf(table, plan.attributes);
  if (plan.weights) {
    TACIT_TRY(source, WeighedSource(services.policy, table, plan.Asked()));
  }
  TACIT_TRY(CodedRows coded, CodedRowsOf(services.policy, services.schema, source, plan.Asked()));
  if (plan.weights) coded.moved = plan.weights->MovedBy(table, services.policy.privacy);
  return coded;
}

Sheet SheetOf(const SynthesisPlan& plan, const Moved& moved) {
  const MovedRows moves{.moved = moved, .parts = plan.weights ? kRowParts : 1};
  const std::vector<ColumnShape> shapes = plan.Shapes(plan.attributes);
  Sheet sheet = ShowingSheet(plan.showing, moves);
  for (SheetLine& line : StepsSheet(SharesOf(shapes, plan.wish), shapes.size(), plan.wish.workload,
                                    plan.showing.left.value, moves)) {
    sheet.push_back(std::move(line));
  }
  return sheet;
}

// Everything that conditions say, on the cells that they cut.
void UseConditions(SynthesisPlan& plan) {
  for (const WorkloadQuery& query : plan.workload) {
    if (query.condition) query.condition->Cut(plan.attributes);
  }
  for (const Condition& rule : plan.impossible) rule.Cut(plan.attributes);
  for (const WorkloadQuery& query : plan.workload) {
    plan.wish.queries.push_back(QueryOf(query, plan.attributes));
  }
  for (const Condition& rule : plan.impossible) {
    plan.wish.impossible.push_back(rule.Sets(plan.attributes));
  }
}

std::vector<Impossible> AllSets(const SynthesisPlan& plan) {
  std::vector<Impossible> sets = plan.wish.impossible;
  for (const WorkloadQuery& query : plan.workload) {
    if (query.condition) sets.push_back(query.condition->Sets(plan.attributes));
  }
  return sets;
}

}  // namespace

Result<const policy::Table*> ProtectedTable(const std::string& name, const policy::Policy& policy) {
  const policy::Table* table = policy.Find(name);
  if (table == nullptr) {
    return InvalidArgument("the policy names no table " + name,
                           "a table that is not listed there does not exist");
  }
  if (table->is_public) {
    return InvalidArgument("the table " + name + " is public",
                           "it can be given away as it is: nobody is in it");
  }
  return table;
}

Result<SynthesisPlan> PlanSynthesis(const SynthesisRequest& request, gateway::Services& services) {
  SynthesisPlan plan;
  TACIT_TRY(const policy::Table* const table, ProtectedTable(request.table, services.policy));
  TACIT_TRY(plan.attributes, AttributesOf(services.policy, services.schema, *table, request.columns,
                                          services.engine));
  const size_t open = OpenIn(plan.attributes);
  TACIT_TRY(plan.price, PriceOf(request.epsilon, request.delta, services.policy.privacy, open > 0));
  plan.showing = ShowingBudgetOf(plan.price, open);
  plan.wish = request.wish;
  if (request.rows_per_unit.value_or(table->rows_per_unit) != table->rows_per_unit) {
    TACIT_TRY(plan.weights, RowWeightsFor(*request.rows_per_unit, services.policy, *table));
    plan.wish.weighing = plan.weights->At(plan.attributes.size());
  }
  if (plan.wish.workload == Workload::kQueries) {
    TACIT_TRY(plan.workload,
              ReadWorkload(request.workload, request.workload_file, plan.attributes));
  }
  TACIT_TRY(plan.impossible, RulesOf(*table, services.schema, plan.attributes));
  TACIT_CHECK(CheckSize(plan.attributes, plan.wish, plan.workload));
  UseConditions(plan);
  plan.wish.rows_max = StoredRowsMax(plan.attributes);
  if (plan.wish.rows && *plan.wish.rows > plan.wish.rows_max) {
    return InvalidArgument("so many rows cannot be kept: " + std::to_string(plan.wish.rows_max) +
                           " of these columns can");
  }
  TACIT_TRY(const CodedRows coded, RowsOf(plan, *table, services));
  plan.sheet = SheetOf(plan, coded.moved);
  plan.question = QuestionOf(plan, *table);
  return plan;
}

std::vector<Attribute> SynthesisPlan::Asked() const {
  std::vector<Attribute> asked = attributes;
  if (weights) asked.push_back(weights->rows_of_person);
  return asked;
}

std::vector<ColumnShape> SynthesisPlan::Shapes(const std::vector<Attribute>& shown) const {
  std::vector<ColumnShape> shapes = ShapesOf(shown);
  AddCuts(AllSets(*this), shapes);
  if (weights) shapes.push_back(weights->Shape());
  return shapes;
}

// proof: release/proof.md#5-what-showing-values-costs
SyntheticFile MakeFile(const SynthesisPlan& plan, const Rho& for_rows, const Moved& moved,
                       ExactTable& exact, Entropy& entropy, const Progress& progress) {
  SyntheticFile file;
  if (plan.weights) plan.weights->Apply(exact.joint);
  std::vector<Attribute> attributes = plan.attributes;
  file.shown = ShowOpen(moved, plan.showing.each, exact, attributes, entropy);
  file.table = Synthesize(exact.joint, plan.Shapes(attributes), moved, for_rows, plan.wish, entropy,
                          progress);
  if (plan.weights) {
    file.table.codes.pop_back();
    file.table.cells.pop_back();
  }
  file.seed = entropy.NextWord();
  return file;
}

Result<Published> PublishSynthetic(const SynthesisPlan& plan, const std::string& table_name,
                                   gateway::Services& services, const Progress& progress) {
  TACIT_TRY(const policy::Table* const table, ProtectedTable(table_name, services.policy));
  TACIT_TRY(CodedRows coded, RowsOf(plan, *table, services));
  const Moved moved = coded.moved;
  const auto run = [&](std::vector<ExactTable>& exact, Entropy& entropy) {
    return ToBytes(MakeFile(plan, plan.showing.left, moved, exact[0], entropy, progress));
  };
  std::vector<Question> questions;
  questions.push_back({plan.Asked(), std::move(coded)});
  TableRelease release(std::move(questions), plan.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  Published published{.file = {}, .attributes = plan.attributes, .receipt = answer.receipt};
  TACIT_TRY(published.file, FromBytes(answer.bytes, published.attributes));
  return published;
}

}  // namespace tacit::release
