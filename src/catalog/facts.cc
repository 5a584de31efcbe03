#include "catalog/facts.h"

#include <catalog_facts_text.h>  // generated from facts/

#include <map>

namespace tacit::catalog {
namespace {

Oid NumberOf(const Cell& cell) { return static_cast<Oid>(std::stoul(cell.value_or("0"))); }

std::vector<Relation> ReadRelations() {
  std::vector<Relation> relations;
  for (const Row& row : ReadRows(kRelationsText)) {
    if (*row[0] == "R") {
      relations.push_back(Relation{.schema = *row[1],
                                   .name = *row[2],
                                   .oid = NumberOf(row[3]),
                                   .kind = (*row[4])[0],
                                   .row_type = NumberOf(row[5]),
                                   .privileges = row[6],
                                   .columns = {}});
    } else {
      relations.back().columns.push_back(RelationColumn{.name = *row[1],
                                                        .type = NumberOf(row[2]),
                                                        .modifier = std::stoi(*row[3]),
                                                        .not_null = *row[4] == "true",
                                                        .base_type = NumberOf(row[5]),
                                                        .base_modifier = std::stoi(*row[6]),
                                                        .dimensions = std::stoi(*row[7])});
    }
  }
  return relations;
}

void AppendEscaped(std::string& cell, char escaped) {
  switch (escaped) {
    case 'n':
      cell += '\n';
      break;
    case 't':
      cell += '\t';
      break;
    default:
      cell += escaped;
  }
}

Row ReadRow(std::string_view line) {
  Row row;
  std::string cell;
  bool null = false;
  for (size_t i = 0; i <= line.size(); ++i) {
    if (i == line.size() || line[i] == '\t') {
      row.push_back(null ? Cell() : Cell(cell));
      cell.clear();
      null = false;
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      if (line[++i] == 'N') {
        null = true;
      } else {
        AppendEscaped(cell, line[i]);
      }
    } else {
      cell += line[i];
    }
  }
  return row;
}

}  // namespace

std::vector<Row> ReadRows(std::string_view text) {
  std::vector<Row> rows;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    rows.push_back(ReadRow(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return rows;
}

const std::vector<Relation>& SystemRelations() {
  static const std::vector<Relation> relations = ReadRelations();
  return relations;
}

const std::vector<Row>& Keywords() {
  static const std::vector<Row> rows = ReadRows(kKeywordsText);
  return rows;
}

const std::vector<Row>& SystemRows(const std::string& table) {
  static const std::map<std::string, std::vector<Row>> tables = {
      {"pg_type", ReadRows(kPgTypeText)},
      {"pg_proc", ReadRows(kPgProcText)},
      {"pg_am", ReadRows(kPgAmText)},
      {"pg_cast", ReadRows(kPgCastText)},
      {"pg_collation", ReadRows(kPgCollationText)},
      {"pg_language", ReadRows(kPgLanguageText)},
      {"pg_range", ReadRows(kPgRangeText)},
  };
  static const std::vector<Row> none;
  const auto found = tables.find(table);
  return found == tables.end() ? none : found->second;
}

}  // namespace tacit::catalog
