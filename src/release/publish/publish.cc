#include "release/publish/publish.h"

#include <cmath>
#include <cstdio>

#include "release/publish/steps.h"

namespace tacit::release {
namespace {

// Why 4,000: a matrix over all pairs of cells, of which a fit holds some, then takes 64 MB.
constexpr size_t kCellsMax = 4000;

std::string SigmaWords(double rho_each, double l2_squared) {
  char text[64];
  std::snprintf(text, sizeof text, "about %.3g rows a cell, one standard deviation",
                std::sqrt(l2_squared / (2 * rho_each)));
  return text;
}

std::string QuestionOf(const SynthesisWish& wish) {
  std::string text = "synthetic rows 1 ";
  text += wish.method == Method::kDirect ? "direct" : "mixture";
  text += wish.workload == Workload::kTriples ? " triples" : " pairs";
  if (wish.rows) text += " rows " + std::to_string(*wish.rows);
  return text;
}

// Bins of pairs are at most these: the sheet is printed before the noise says how many there are.
size_t CoarseCellsMost(const Attribute& attribute) {
  const ColumnShape shape = attribute.Shape();
  return shape.ordered ? std::min(shape.cells, kCoarseCellsMost + 1) : shape.cells;
}

std::vector<SheetLine> SheetOf(const SynthesisPlan& plan, const Moved& moved) {
  std::vector<ColumnShape> shapes;
  for (const Attribute& attribute : plan.attributes) shapes.push_back(attribute.Shape());
  const Shares shares = SharesOf(shapes, plan.wish);
  const auto columns = static_cast<double>(shapes.size());
  const Rational& rho = plan.price.rho.value;
  const double l2_squared = moved.l2_squared.get_d();
  const Rational histograms = rho * shares.histograms;
  std::vector<SheetLine> sheet;
  sheet.push_back({std::to_string(shapes.size()) + " histograms, one a column", histograms,
                   SigmaWords(histograms.get_d() / columns, l2_squared)});
  if (shapes.size() == 1) return sheet;
  const Rational pairs = rho - histograms - rho * shares.triples;
  const double count = columns * (columns - 1) / 2;
  char number[32];
  std::snprintf(number, sizeof number, "%.0f", count);
  sheet.push_back(
      {std::string(number) + " tables of two columns", pairs,
       SigmaWords(pairs.get_d() / count, l2_squared) + ", less for those with more to say"});
  if (shares.triples > 0) {
    sheet.push_back({"4 tables of three columns, chosen", Rational(rho * shares.triples),
                     "15 % for choosing, the rest for counting"});
  }
  return sheet;
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
  TACIT_TRY(plan.price, PriceOf(request.epsilon, request.delta, services.policy.privacy));
  TACIT_TRY(plan.attributes, AttributesOf(services.policy, services.schema, *table, request.columns,
                                          services.engine));
  size_t cells = 0;
  for (const Attribute& attribute : plan.attributes) cells += CoarseCellsMost(attribute);
  if (cells > kCellsMax) {
    return InvalidArgument("the columns have " + std::to_string(cells) + " cells together, and " +
                               std::to_string(kCellsMax) + " fit",
                           "release fewer columns with --columns, or declare shorter lists");
  }
  plan.wish = request.wish;
  plan.wish.rows_max = StoredRowsMax(plan.attributes);
  if (plan.wish.rows && *plan.wish.rows > plan.wish.rows_max) {
    return InvalidArgument("so many rows cannot be kept: " + std::to_string(plan.wish.rows_max) +
                           " of these columns can");
  }
  TACIT_TRY(const CodedRows coded,
            CodedRowsOf(services.policy, services.schema, *table, plan.attributes));
  plan.sheet = SheetOf(plan, coded.moved);
  plan.question = QuestionOf(plan.wish);
  return plan;
}

Result<Published> PublishSynthetic(const SynthesisPlan& plan, const std::string& table_name,
                                   gateway::Services& services, const Progress& progress) {
  TACIT_TRY(const policy::Table* const table, ProtectedTable(table_name, services.policy));
  TACIT_TRY(CodedRows coded,
            CodedRowsOf(services.policy, services.schema, *table, plan.attributes));
  std::vector<ColumnShape> shapes;
  for (const Attribute& attribute : plan.attributes) shapes.push_back(attribute.Shape());
  const Moved moved = coded.moved;
  const auto run = [&](const Joint& exact, Entropy& entropy) {
    SyntheticFile file{
        .table = Synthesize(exact, shapes, moved, plan.price.rho, plan.wish, entropy, progress),
        .seed = entropy.NextWord()};
    return ToBytes(file);
  };
  TableRelease release(plan.attributes, std::move(coded), plan.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  TACIT_TRY(SyntheticFile file, FromBytes(answer.bytes, plan.attributes));
  return Published{.file = std::move(file), .receipt = std::move(answer.receipt)};
}

}  // namespace tacit::release
