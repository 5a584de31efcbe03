#include "release/publish/publish.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "policy/keys/impossible.h"
#include "release/fit/mwem.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

// Why 60,000: three hundred kinds of people with a share for every cell take 72 MB.
constexpr size_t kCellsMax = 60'000;
// Of rho, what showing the values of open columns takes.
const Rational kForShowing(1, 20);

std::string SigmaWords(double rho_each, double l2_squared) {
  char text[64];
  std::snprintf(text, sizeof text, "about %.3g rows a cell, one standard deviation",
                std::sqrt(l2_squared / (2 * rho_each)));
  return text;
}

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

std::string QuestionOf(const SynthesisPlan& plan) {
  const SynthesisWish& wish = plan.wish;
  std::string text = std::string("synthetic rows 2 ") + NameOf(wish.method);
  text += wish.workload == Workload::kTriples ? " triples" : " pairs";
  if (wish.rows) text += " rows " + std::to_string(*wish.rows);
  for (const WorkloadQuery& query : plan.workload) text += "\nquery " + query.text;
  for (const std::string& rule : plan.rules) text += "\nimpossible " + rule;
  return text;
}

// Bins of pairs are at most these: the sheet is printed before the noise says how many there are.
size_t CoarseCellsMost(const Attribute& attribute) {
  if (attribute.IsOpen()) return kShownMax + 2;
  const ColumnShape shape = attribute.Shape();
  return shape.ordered ? std::min(shape.cells, kCoarseCellsMost + 1) : shape.cells;
}

std::vector<ColumnShape> ShapesOf(const std::vector<Attribute>& attributes) {
  std::vector<ColumnShape> shapes;
  for (const Attribute& attribute : attributes) shapes.push_back(attribute.Shape());
  return shapes;
}

std::string Whole(size_t number) { return std::to_string(number); }

std::vector<SheetLine> SheetOf(const SynthesisPlan& plan, const Moved& moved) {
  const Shares shares = SharesOf(ShapesOf(plan.attributes), plan.wish);
  const auto columns = static_cast<double>(plan.attributes.size());
  const double l2_squared = moved.l2_squared.get_d();
  std::vector<SheetLine> sheet;
  if (plan.Open() > 0) {
    const ShowingPrice price = plan.PriceOfShowing();
    sheet.push_back({"values of " + Whole(plan.Open()) + " columns that the policy does not list",
                     Rational(price.rho * MakeRational(static_cast<Int128>(plan.Open()))),
                     "shown from about " + ToString(ShowingThreshold(moved, price)) +
                         " rows on; half of delta"});
  }
  const Rational rho = plan.RhoOfRows().value;
  const Rational histograms = rho * shares.histograms;
  sheet.push_back({Whole(plan.attributes.size()) + " histograms, one a column", histograms,
                   SigmaWords(histograms.get_d() / columns, l2_squared)});
  if (shares.choosing > 0) {
    sheet.push_back({"choosing pairs of columns", Rational(rho * shares.choosing),
                     "those that are farthest from independent"});
  }
  if (shares.pairs > 0) {
    const Rational pairs = rho * shares.for_pairs;
    sheet.push_back({Whole(shares.pairs) + " tables of two columns", pairs,
                     SigmaWords(pairs.get_d() / static_cast<double>(shares.pairs), l2_squared) +
                         ", less for those with more to say"});
  }
  if (shares.queries > 0) {
    const bool rounds = shares.asked == 0;
    const std::string what = rounds                                     ? "rounds of tables"
                             : plan.wish.workload == Workload::kTriples ? "tables of three columns"
                                                                        : "queries of the workload";
    sheet.push_back({(rounds ? "" : Whole(shares.asked) + " ") + what,
                     Rational(rho * shares.queries),
                     rounds ? "in each one is chosen and counted"
                            : "15 % for choosing where not all are, the rest for counting"});
  }
  if (shares.estimate > 0) {
    sheet.push_back(
        {"how far the rows are off", Rational(rho * shares.estimate), "one number, at the end"});
  }
  return sheet;
}

// The one question to the engine. A lower cap than the policy's takes fewer rows of those who have
// many, and less noise.
Result<CodedRows> RowsOf(const SynthesisPlan& plan, const policy::Table& table,
                         gateway::Services& services) {
  policy::Policy policy = services.policy;
  for (policy::Table& one : policy.tables) {
    if (!policy::SameName(one.name, table.name) || !plan.rows_per_unit) continue;
    one.rows_per_unit = *plan.rows_per_unit;
    one.groups_per_unit = std::min(one.groups_per_unit, one.rows_per_unit);
    one.rows_per_group = std::min(one.rows_per_group, one.rows_per_unit);
  }
  return CodedRowsOf(policy, services.schema, SourceOf(table, plan.attributes), plan.attributes);
}

// Rules about columns that are not released say nothing about this release.
Result<Done> ReadRules(const policy::Table& table, gateway::Services& services,
                       SynthesisPlan& plan) {
  const policy::SchemaTable* const stored = services.schema.Find(table.name);
  TACIT_TRY(plan.rules, policy::ReadImpossible(services.policy, table));
  for (size_t i = 0; i < plan.rules.size(); ++i) {
    bool elsewhere = false;
    Result<Condition> rule =
        Condition::Read(plan.rules[i], plan.attributes,
                        "impossible rule " + Whole(i + 1) + " of table " + table.name, &elsewhere);
    if (!rule.ok() && elsewhere && plan.attributes.size() < stored->columns.size()) continue;
    TACIT_TRY(Condition read, std::move(rule));
    plan.impossible.push_back(std::move(read));
  }
  return Done{};
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

Result<Done> CheckSize(const SynthesisPlan& plan) {
  size_t cells = 0;
  std::vector<size_t> sizes;
  for (const Attribute& attribute : plan.attributes) {
    sizes.push_back(CoarseCellsMost(attribute));
    cells += sizes.back();
  }
  if (cells > kCellsMax) {
    return InvalidArgument(
        "the columns have " + Whole(cells) + " cells together, and " + Whole(kCellsMax) + " fit",
        "release fewer columns with --columns, or declare shorter lists");
  }
  if (plan.wish.method == Method::kMwem && Combinations(sizes) > kMwemCellsMax) {
    size_t fit = 0;
    while (fit < sizes.size() &&
           Combinations({sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(fit) + 1}) <=
               kMwemCellsMax) {
      ++fit;
    }
    return InvalidArgument(
        "mwem keeps a weight for every combination of cells, and these columns "
        "have more than " +
            Whole(kMwemCellsMax),
        "the first " + Whole(fit) + " of these columns would fit; --method mixture takes them all");
  }
  for (const WorkloadQuery& query : plan.workload) {
    size_t table = query.condition ? 0 : 1;
    for (const size_t column : query.columns) {
      table = std::min(table * sizes[column], kQueryCellsMax + 1);
    }
    if (table > kQueryCellsMax) {
      return InvalidArgument(
          "the table \"" + query.text + "\" has more than " + Whole(kQueryCellsMax) + " cells",
          "ask for fewer columns at once");
    }
  }
  return Done{};
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
  TACIT_TRY(plan.price,
            PriceOf(request.epsilon, request.delta, services.policy.privacy, plan.Open() > 0));
  plan.rows_per_unit = request.rows_per_unit;
  if (plan.rows_per_unit && *plan.rows_per_unit > table->rows_per_unit) {
    return InvalidArgument("the policy lets " + std::to_string(table->rows_per_unit) +
                               " rows of a person count, and no more",
                           "leave --rows-per-unit out, or name a smaller number");
  }
  plan.wish = request.wish;
  if (plan.wish.workload == Workload::kQueries) {
    TACIT_TRY(plan.workload,
              ReadWorkload(request.workload, request.workload_file, plan.attributes));
  }
  TACIT_CHECK(ReadRules(*table, services, plan));
  TACIT_CHECK(CheckSize(plan));
  UseConditions(plan);
  plan.wish.rows_max = StoredRowsMax(plan.attributes);
  if (plan.wish.rows && *plan.wish.rows > plan.wish.rows_max) {
    return InvalidArgument("so many rows cannot be kept: " + std::to_string(plan.wish.rows_max) +
                           " of these columns can");
  }
  TACIT_TRY(const CodedRows coded, RowsOf(plan, *table, services));
  plan.sheet = SheetOf(plan, coded.moved);
  plan.question = QuestionOf(plan);
  return plan;
}

size_t SynthesisPlan::Open() const {
  return static_cast<size_t>(std::count_if(attributes.begin(), attributes.end(),
                                           [](const Attribute& a) { return a.IsOpen(); }));
}

ShowingPrice SynthesisPlan::PriceOfShowing() const {
  const Rational columns = MakeRational(static_cast<Int128>(std::max<size_t>(1, Open())));
  return {.rho = Rational(price.rho.value * kForShowing / columns),
          .delta = Delta(Rational(price.showing.value / columns))};
}

Rho SynthesisPlan::RhoOfRows() const {
  return Open() == 0 ? price.rho : Rho(Rational(price.rho.value * Rational(1 - kForShowing)));
}

// proof: release/proof.md#5-what-showing-values-costs
SyntheticFile MakeFile(const SynthesisPlan& plan, const Moved& moved, ExactTable& exact,
                       Entropy& entropy, const Progress& progress) {
  SyntheticFile file;
  std::vector<Attribute> attributes = plan.attributes;
  for (const OpenColumn& open : exact.open) {
    file.shown.push_back(ShowValues(open, moved, plan.PriceOfShowing(), exact.joint, entropy));
    attributes[open.column] = WithValues(attributes[open.column], file.shown.back());
  }
  std::vector<ColumnShape> shapes = ShapesOf(attributes);
  AddCuts(AllSets(plan), shapes);
  file.table =
      Synthesize(exact.joint, shapes, moved, plan.RhoOfRows(), plan.wish, entropy, progress);
  file.seed = entropy.NextWord();
  return file;
}

Result<Published> PublishSynthetic(const SynthesisPlan& plan, const std::string& table_name,
                                   gateway::Services& services, const Progress& progress) {
  TACIT_TRY(const policy::Table* const table, ProtectedTable(table_name, services.policy));
  TACIT_TRY(CodedRows coded, RowsOf(plan, *table, services));
  const Moved moved = coded.moved;
  const auto run = [&](std::vector<ExactTable>& exact, Entropy& entropy) {
    return ToBytes(MakeFile(plan, moved, exact[0], entropy, progress));
  };
  std::vector<Question> questions;
  questions.push_back({plan.attributes, std::move(coded)});
  TableRelease release(std::move(questions), plan.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  Published published{.file = {}, .attributes = plan.attributes, .receipt = answer.receipt};
  TACIT_TRY(published.file, FromBytes(answer.bytes, published.attributes));
  return published;
}

}  // namespace tacit::release
