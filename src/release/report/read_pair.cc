#include "release/report/read_pair.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "engine/duckdb/database/database.h"
#include "policy/schema.h"

namespace tacit::release {
namespace {

using engine::duckdb::Connection;
using Texts = std::vector<std::optional<std::string>>;

// Why these: NIST's bins, and what is worth binning.
constexpr size_t kBins = 20;
// Why 20 million: values of both files in some gigabytes of memory at most.
constexpr int64_t kRowsMax = 20'000'000;

struct File {
  std::vector<std::string> names;
  std::vector<Texts> columns;
};

Error CannotRead(const std::string& path, const std::string& why) {
  return InvalidArgument("cannot read " + path + ": " + why.substr(0, why.find('\n')),
                         "a CSV file with a header, or a Parquet file");
}

Result<File> ReadFile(Connection& connection, const std::string& path) {
  const std::string quoted = engine::duckdb::QuoteLiteral(path);
  const std::string source = path.ends_with(".parquet")
                                 ? "read_parquet(" + quoted + ")"
                                 : "read_csv(" + quoted + ", header = true, all_varchar = true)";
  std::vector<engine::ResultColumn> columns;
  if (const auto failure = connection.Describe({.sql = "SELECT * FROM " + source}, &columns)) {
    return CannotRead(path, failure->text);
  }
  std::string items;
  for (const engine::ResultColumn& column : columns) {
    const std::string name = engine::duckdb::QuoteName(column.name);
    items += (items.empty() ? "CAST(" : ", CAST(") + name + " AS VARCHAR) AS " + name;
  }
  engine::ResultTable table;
  if (const auto failure =
          connection.Query({.sql = "SELECT " + items + " FROM " + source}, kRowsMax, &table)) {
    return CannotRead(path, failure->text);
  }
  File file;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    file.names.push_back(table.columns[c].name);
    Texts& texts = file.columns.emplace_back();
    texts.reserve(table.rows.size());
    for (const std::vector<engine::Value>& row : table.rows) {
      const auto* text = std::get_if<std::string>(&row[c]);
      texts.push_back(text == nullptr ? std::nullopt : std::optional(*text));
    }
  }
  return file;
}

std::optional<double> NumberIn(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return number;
}

std::vector<double> NumbersOf(const Texts& texts) {
  std::vector<double> numbers;
  numbers.reserve(texts.size());
  for (const auto& text : texts) {
    const std::optional<double> number = text ? NumberIn(*text) : std::nullopt;
    numbers.push_back(number.value_or(std::nan("")));
  }
  return numbers;
}

// Numbers of more than kBins different values are binned; what is no number keeps its own cell.
class ReadCells {
 public:
  explicit ReadCells(const Texts& real) {
    std::vector<double> numbers;
    for (const auto& text : real) {
      if (const auto number = text ? NumberIn(*text) : std::nullopt) numbers.push_back(*number);
    }
    std::sort(numbers.begin(), numbers.end());
    std::vector<double> different = numbers;
    different.erase(std::unique(different.begin(), different.end()), different.end());
    are_numbers_ = different.size() > 2 && numbers.size() * 2 >= real.size();
    if (different.size() <= kBins || numbers.size() * 2 < real.size()) return;
    for (size_t i = 1; i < kBins; ++i) edges_.push_back(numbers[numbers.size() * i / kBins]);
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  }

  std::vector<uint32_t> CodesOf(const Texts& texts) {
    std::vector<uint32_t> codes;
    codes.reserve(texts.size());
    for (const auto& text : texts) codes.push_back(CodeOf(text));
    return codes;
  }
  size_t size() const { return codes_.size(); }
  bool AreNumbers() const { return are_numbers_; }

 private:
  uint32_t CodeOf(const std::optional<std::string>& text) {
    std::string label = text ? "=" + *text : "";
    if (const auto number = text ? NumberIn(*text) : std::nullopt) {
      const auto bin = std::upper_bound(edges_.begin(), edges_.end(), *number) - edges_.begin();
      // The same number may be written in two ways.
      label = edges_.empty() ? "#" + std::to_string(*number) : "bin " + std::to_string(bin);
    }
    return codes_.emplace(std::move(label), static_cast<uint32_t>(codes_.size())).first->second;
  }

  bool are_numbers_ = false;
  std::vector<double> edges_;
  std::map<std::string, uint32_t> codes_;
};

}  // namespace

Result<TablePair> ReadPair(const std::string& real_path, const std::string& made_path) {
  TACIT_TRY(const engine::duckdb::Database database,
            engine::duckdb::Database::OpenForImport(":memory:", {}));
  TACIT_TRY(Connection connection, database.Connect());
  TACIT_TRY(const File real, ReadFile(connection, real_path));
  TACIT_TRY(const File made, ReadFile(connection, made_path));
  TablePair pair;
  for (size_t c = 0; c < real.names.size(); ++c) {
    const auto found = std::find_if(
        made.names.begin(), made.names.end(),
        [&](const std::string& name) { return policy::SameName(name, real.names[c]); });
    if (found == made.names.end()) {
      pair.left_out.push_back(real.names[c]);
      continue;
    }
    ReadCells cells(real.columns[c]);
    pair.coding.names.push_back(real.names[c]);
    pair.real.codes.push_back(cells.CodesOf(real.columns[c]));
    pair.made.codes.push_back(
        cells.CodesOf(made.columns[static_cast<size_t>(found - made.names.begin())]));
    pair.coding.cells.push_back(cells.size());
    const Texts& written = made.columns[static_cast<size_t>(found - made.names.begin())];
    if (!cells.AreNumbers()) continue;
    pair.coding.number_names.push_back(real.names[c]);
    pair.real.numbers.push_back(NumbersOf(real.columns[c]));
    pair.made.numbers.push_back(NumbersOf(written));
  }
  if (pair.coding.names.empty()) {
    return InvalidArgument(real_path + " and " + made_path + " have no column in common");
  }
  if (pair.real.rows() == 0) return InvalidArgument(real_path + " has no rows");
  return pair;
}

}  // namespace tacit::release
