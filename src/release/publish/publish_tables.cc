#include "release/publish/publish_tables.h"

#include <algorithm>

#include "release/publish/steps.h"

namespace tacit::release {
namespace {

// Why a million: every cell is a line of a file, and gets its noise.
constexpr size_t kTableCellsMax = 1'000'000;
// Why 5 million: rows that tables are made to agree by take memory and time.
constexpr size_t kTableRowsMax = 5'000'000;
constexpr char kTablesMagic[] = "tacit tables 2\n";

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t end = 0; end != std::string::npos; start = end + 1) {
    end = text.find(separator, start);
    parts.push_back(Trimmed(text.substr(start, end == std::string::npos ? end : end - start)));
  }
  return parts;
}

std::string TablesToBytes(const ReleasedTables& released, const ShownValues& shown) {
  std::string bytes = kTablesMagic;
  AddShown(shown, bytes);
  AddWord(released.rows, bytes);
  for (const ReleasedTable& table : released.tables) {
    AddNumber(table.sigma, bytes);
    for (const uint64_t count : table.counts) AddWord(count, bytes);
  }
  return bytes;
}

// Open attributes get their values.
Result<ReleasedTables> TablesFromBytes(const std::string& bytes, const TablesPlan& plan,
                                       std::vector<Attribute>& attributes) {
  Reader reader(bytes);
  ShownValues shown;
  const Error other = NotTheseBytes("tables of another shape");
  if (!reader.Skip(kTablesMagic) || !ReadShown(reader, shown, attributes)) return other;
  const std::vector<ColumnShape> shapes = ShapesOf(attributes);
  size_t words = 1;
  for (const TableColumns& table : plan.tables) words += 1 + CellsOf(table, shapes);
  if (reader.left() != 8 * words) return other;
  ReleasedTables released{.rows = reader.Word(), .tables = {}};
  for (const TableColumns& columns : plan.tables) {
    ReleasedTable& table = released.tables.emplace_back();
    table.sigma = reader.Number();
    for (size_t i = 0; i < CellsOf(columns, shapes); ++i) table.counts.push_back(reader.Word());
  }
  return released;
}

// At most so many: an open column is shown with at most kShownMax values, all others and NULL.
size_t TableCellsMost(const Attribute& attribute) {
  return attribute.IsOpen() ? kShownMax + 2 : attribute.Shape().cells;
}

}  // namespace

Result<std::vector<std::vector<std::string>>> ReadTables(const std::string& text) {
  std::vector<std::vector<std::string>> tables;
  for (const std::string& part : SplitAt(text, ';')) {
    if (part.empty()) continue;
    std::vector<std::string> columns = SplitAt(part, ',');
    if (std::find(columns.begin(), columns.end(), "") != columns.end()) {
      return InvalidArgument("--of names a column without a name: " + part,
                             "as in --of \"age, sex; sex, region\"");
    }
    tables.push_back(std::move(columns));
  }
  if (tables.empty()) {
    return InvalidArgument("--of names no table", "as in --of \"age, sex; sex, region\"");
  }
  return tables;
}

Result<TablesPlan> PlanTables(const TablesRequest& request, gateway::Services& services) {
  TablesPlan plan;
  TACIT_TRY(const policy::Table* const table, ProtectedTable(request.table, services.policy));
  std::vector<std::string> columns;
  plan.question = "tables 1";
  for (const std::vector<std::string>& wanted : request.tables) {
    TableColumns& places = plan.tables.emplace_back();
    for (const std::string& column : wanted) {
      const std::string name = policy::FoldedName(column);
      const auto known = std::find(columns.begin(), columns.end(), name);
      const auto place = static_cast<size_t>(known - columns.begin());
      if (known == columns.end()) columns.push_back(name);
      if (std::find(places.begin(), places.end(), place) != places.end()) {
        return InvalidArgument("a table names " + column + " twice");
      }
      places.push_back(place);
      plan.question += (places.size() == 1 ? "\n" : ",") + std::to_string(place);
    }
    for (size_t t = 0; t + 1 < plan.tables.size(); ++t) {
      if (plan.tables[t] == places) return InvalidArgument("--of names a table twice");
    }
  }
  TACIT_TRY(plan.attributes,
            AttributesOf(services.policy, services.schema, *table, columns, services.engine));
  const size_t open = OpenIn(plan.attributes);
  TACIT_TRY(plan.price, PriceOf(request.epsilon, request.delta, services.policy.privacy, open > 0));
  plan.showing = ShowingBudgetOf(plan.price, open);
  size_t cells = 0;
  for (const TableColumns& places : plan.tables) {
    // Checked as it grows: a product of many columns would wrap.
    size_t own = 1;
    for (const size_t place : places) {
      own = std::min(own * TableCellsMost(plan.attributes[place]), kTableCellsMax + 1);
    }
    cells += own;
  }
  if (cells > kTableCellsMax) {
    return InvalidArgument(
        "the tables have more than " + std::to_string(kTableCellsMax) + " cells together",
        "ask for smaller tables, or for synthetic rows: tacit synth");
  }
  return plan;
}

Result<PublishedTables> PublishTables(const TablesPlan& plan, const std::string& table_name,
                                      gateway::Services& services, const Progress& progress) {
  TACIT_TRY(const policy::Table* const table, ProtectedTable(table_name, services.policy));
  TACIT_TRY(CodedRows coded, CodedRowsOf(services.policy, services.schema,
                                         SourceOf(*table, plan.attributes), plan.attributes));
  const Moved moved = coded.moved;
  const auto run = [&](std::vector<ExactTable>& exact, Entropy& entropy) {
    std::vector<Attribute> attributes = plan.attributes;
    const ShownValues shown = ShowOpen(moved, plan.showing.each, exact[0], attributes, entropy);
    return TablesToBytes(MeasureTables(exact[0].joint, ShapesOf(attributes), plan.tables, moved,
                                       plan.showing.left, kTableRowsMax, entropy, progress),
                         shown);
  };
  std::vector<Question> questions;
  questions.push_back({plan.attributes, std::move(coded)});
  TableRelease release(std::move(questions), plan.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  PublishedTables published{
      .released = {}, .attributes = plan.attributes, .receipt = std::move(answer.receipt)};
  TACIT_TRY(published.released, TablesFromBytes(answer.bytes, plan, published.attributes));
  return published;
}

}  // namespace tacit::release
