#include "release/publish/file/tables_files.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/quoted.h"

namespace tacit::release {

std::vector<NamedFile> FilesOf(const TablesPlan& plan, const std::string& table,
                               const PublishedTables& published) {
  const ReleasedTables& released = published.released;
  const std::vector<ColumnShape> shapes = ShapesOf(published.attributes);
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
        content += CsvText(LabelOf(published.attributes[place], code)) + ",";
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
