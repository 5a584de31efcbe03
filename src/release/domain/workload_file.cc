#include <algorithm>

#include "release/domain/condition.h"

namespace tacit::release {
namespace {

// Why 2,000: each is counted in every round of choosing.
constexpr size_t kWorkloadMax = 2000;

std::string Trim(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string LowerWord(const std::string& text) {
  std::string word = text.substr(0, text.find_first_of(" \t"));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

std::string AfterWord(const std::string& text) {
  const size_t end = text.find_first_of(" \t");
  return end == std::string::npos ? "" : Trim(text.substr(end));
}

Result<size_t> ColumnNamed(const std::string& name, const std::vector<Attribute>& attributes,
                           const std::string& where) {
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (policy::SameName(attributes[i].name, name)) return i;
  }
  return InvalidArgument(where + ": no column " + name + " is released",
                         "name columns of the table, or those of --columns");
}

Result<WorkloadQuery> ReadQuery(const std::string& line, const std::string& where,
                                const std::vector<Attribute>& attributes) {
  WorkloadQuery query{.text = line, .columns = {}};
  std::string rest = line;
  const std::string word = LowerWord(line);
  const bool counts = word == "count" && LowerWord(AfterWord(line)) == "where";
  if (word == "average") {
    const std::string name = LowerWord(AfterWord(line));
    TACIT_TRY(const size_t column, ColumnNamed(name, attributes, where));
    if (!attributes[column].type.IsNumber() || attributes[column].IsOpen()) {
      return InvalidArgument(where + ": an average needs a column of numbers, and " + name +
                             " is none");
    }
    query.average = column;
    rest = AfterWord(AfterWord(line));
    if (rest.empty()) {
      query.columns = {column};
      return query;
    }
    if (LowerWord(rest) != "where") {
      return InvalidArgument(where + ": where is missing",
                             "as in: average income where age < 25 and sex = 'F'");
    }
  }
  if (counts) rest = AfterWord(line);
  if (counts || query.average) {
    TACIT_TRY(query.condition, Condition::Read(AfterWord(rest), attributes, where));
    return query;
  }
  size_t start = 0;
  for (size_t end = 0; end != std::string::npos; start = end + 1) {
    end = line.find(',', start);
    const std::string name = Trim(line.substr(start, end == std::string::npos ? end : end - start));
    TACIT_TRY(const size_t column, ColumnNamed(name, attributes, where));
    if (std::find(query.columns.begin(), query.columns.end(), column) != query.columns.end()) {
      return InvalidArgument(where + ": " + name + " is named twice");
    }
    query.columns.push_back(column);
  }
  return query;
}

}  // namespace

Result<std::vector<WorkloadQuery>> ReadWorkload(const std::string& text, const std::string& file,
                                                const std::vector<Attribute>& attributes) {
  std::vector<WorkloadQuery> queries;
  size_t number = 1;
  size_t start = 0;
  for (size_t end = 0; end != std::string::npos; start = end + 1, ++number) {
    end = text.find('\n', start);
    std::string line = text.substr(start, end == std::string::npos ? end : end - start);
    line = Trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    TACIT_TRY(WorkloadQuery query,
              ReadQuery(line, file + ":" + std::to_string(number), attributes));
    queries.push_back(std::move(query));
  }
  if (queries.empty()) {
    return InvalidArgument(file + " asks for nothing",
                           "one query a line: age, sex   or   count where age < 25");
  }
  if (queries.size() > kWorkloadMax) {
    return InvalidArgument(file + " asks for more than " + std::to_string(kWorkloadMax) +
                           " queries");
  }
  return queries;
}

Query QueryOf(const WorkloadQuery& asked, const std::vector<Attribute>& attributes) {
  if (!asked.condition) return {.columns = asked.columns};
  const Impossible sets = asked.condition->Sets(attributes);
  Query query{.columns = sets.columns};
  for (const std::vector<bool>& cells : sets.cells) {
    View& view = query.views.emplace_back();
    view.cells = 1;
    for (const bool meets : cells) view.cell_of.push_back(meets ? 0 : kNowhere);
  }
  if (!asked.average) return query;
  // Where the condition is on the averaged column itself, its number of rows is what is counted.
  const auto own = std::find(query.columns.begin(), query.columns.end(), *asked.average);
  if (own != query.columns.end()) return query;
  query.columns.push_back(*asked.average);
  query.views.push_back({});  // as the pairs see it
  return query;
}

}  // namespace tacit::release
