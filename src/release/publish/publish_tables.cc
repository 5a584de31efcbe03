#include "release/publish/publish_tables.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "release/publish/file/csv_text.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

// Why a million: every cell is a line of a file, and gets its noise.
constexpr size_t kTableCellsMax = 1'000'000;
// Why 5 million: rows that tables are made to agree by take memory and time.
constexpr size_t kTableRowsMax = 5'000'000;
constexpr char kTablesMagic[] = "tacit tables 1\n";

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

void AddEight(uint64_t word, std::string& bytes) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> (8 * i) & 0xff));
}

uint64_t EightAt(const std::string& bytes, size_t at) {
  uint64_t word = 0;
  for (size_t i = 0; i < 8; ++i) {
    word |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  }
  return word;
}

std::string TablesToBytes(const ReleasedTables& released) {
  std::string bytes = kTablesMagic;
  AddEight(released.rows, bytes);
  for (const ReleasedTable& table : released.tables) {
    uint64_t sigma = 0;
    std::memcpy(&sigma, &table.sigma, sizeof sigma);
    AddEight(sigma, bytes);
    for (const uint64_t count : table.counts) AddEight(count, bytes);
  }
  return bytes;
}

std::vector<ColumnShape> ShapesOf(const std::vector<Attribute>& attributes) {
  std::vector<ColumnShape> shapes;
  for (const Attribute& attribute : attributes) shapes.push_back(attribute.Shape());
  return shapes;
}

Result<ReleasedTables> TablesFromBytes(const std::string& bytes, const TablesPlan& plan) {
  const std::vector<ColumnShape> shapes = ShapesOf(plan.attributes);
  size_t words = 1;
  for (const TableColumns& table : plan.tables) words += 1 + CellsOf(table, shapes);
  const std::string magic = kTablesMagic;
  if (!bytes.starts_with(magic) || bytes.size() != magic.size() + 8 * words) {
    return Error{.code = ErrorCode::kInternal,
                 .public_message = "the stored release cannot be read",
                 .hint = "",
                 .position = std::nullopt,
                 .private_detail = "tables of another shape"};
  }
  size_t at = magic.size();
  const auto next = [&] {
    at += 8;
    return EightAt(bytes, at - 8);
  };
  ReleasedTables released{.rows = next(), .tables = {}};
  for (const TableColumns& columns : plan.tables) {
    ReleasedTable table;
    const uint64_t sigma = next();
    std::memcpy(&table.sigma, &sigma, sizeof sigma);
    for (size_t i = 0; i < CellsOf(columns, shapes); ++i) table.counts.push_back(next());
    released.tables.push_back(std::move(table));
  }
  return released;
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
  TACIT_TRY(plan.price, PriceOf(request.epsilon, request.delta, services.policy.privacy));
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
  TACIT_CHECK(RefuseOpen(plan.attributes, *table));
  const std::vector<ColumnShape> shapes = ShapesOf(plan.attributes);
  size_t cells = 0;
  for (const TableColumns& places : plan.tables) {
    // Checked as it grows: a product of many columns would wrap.
    size_t own = 1;
    for (const size_t place : places) own = std::min(own * shapes[place].cells, kTableCellsMax + 1);
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
  const auto run = [&](const std::vector<ExactTable>& exact, Entropy& entropy) {
    return TablesToBytes(MeasureTables(exact[0].joint, ShapesOf(plan.attributes), plan.tables,
                                       moved, plan.price.rho, kTableRowsMax, entropy, progress));
  };
  std::vector<Question> questions;
  questions.push_back({plan.attributes, std::move(coded)});
  TableRelease release(std::move(questions), plan.price, plan.question, run, services);
  TACIT_TRY(TableRelease::Answer answer, release.CarryOut());
  TACIT_TRY(ReleasedTables released, TablesFromBytes(answer.bytes, plan));
  return PublishedTables{.released = std::move(released), .receipt = std::move(answer.receipt)};
}

std::vector<NamedFile> FilesOf(const TablesPlan& plan, const std::string& table,
                               const ReleasedTables& released) {
  const std::vector<ColumnShape> shapes = ShapesOf(plan.attributes);
  nlohmann::ordered_json about = {{"table", table},
                                  {"epsilon", ToString(plan.price.epsilon.value)},
                                  {"delta", ToString(plan.price.delta.value)},
                                  {"rows", released.rows},
                                  {"tables", nlohmann::ordered_json::array()}};
  std::vector<NamedFile> files;
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    const TableColumns& places = plan.tables[t];
    std::vector<std::string> names;
    std::string content;
    for (const size_t place : places) {
      names.push_back(plan.attributes[place].name);
      content += CsvText(names.back()) + ",";
    }
    content += "count\n";
    const std::vector<uint64_t>& counts = released.tables[t].counts;
    for (size_t cell = 0; cell < counts.size(); ++cell) {
      size_t stride = counts.size();
      for (const size_t place : places) {
        stride /= shapes[place].cells;
        const auto code = static_cast<uint16_t>(cell / stride % shapes[place].cells);
        content += CsvText(LabelOf(plan.attributes[place], code)) + ",";
      }
      content += std::to_string(counts[cell]) + "\n";
    }
    const std::string file = "table_" + std::to_string(t + 1) + ".csv";
    about["tables"].push_back({{"file", file},
                               {"columns", names},
                               {"cells", counts.size()},
                               {"moe95", std::ceil(1.96 * released.tables[t].sigma * 100) / 100}});
    files.push_back({file, std::move(content)});
  }
  files.push_back({"tables.json", about.dump(1) + "\n"});
  return files;
}

}  // namespace tacit::release
