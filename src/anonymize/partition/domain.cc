#include "anonymize/partition/domain.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tacit::anonymize {
namespace {

using Wish = DomainOptions::Wish;

// Renumbers the rows of `column` by `code_of`, one code for each of the column's values.
void Recode(const CodedColumn& column, const std::vector<uint32_t>& code_of, Domain& domain) {
  domain.codes.resize(column.codes.size());
  for (size_t row = 0; row < column.codes.size(); ++row) {
    domain.codes[row] = code_of[column.codes[row]];
  }
}

Error MixedTypes(const Table& table, const CodedColumn& column,
                 const std::vector<bool>& is_number) {
  // The rarer kind is the one out of place.
  std::vector<uint32_t> count(column.values.size());
  for (const uint32_t code : column.codes) ++count[code];
  uint64_t numbers = 0, texts = 0;
  for (size_t v = 0; v < count.size(); ++v) (is_number[v] ? numbers : texts) += count[v];
  const bool numbers_are_wrong = numbers < texts;
  const std::vector<uint32_t> first = FirstRows(column);
  uint32_t row = UINT32_MAX;
  for (size_t v = 0; v < first.size(); ++v) {
    if (count[v] > 0 && is_number[v] == numbers_are_wrong) row = std::min(row, first[v]);
  }
  return InvalidArgument(
      table.Place(row) + ": " + column.name + " is \"" + column.Cell(row) +
          "\", but most of the column is " + (numbers_are_wrong ? "not numbers" : "numbers"),
      "--category " + column.name + " takes every value as a category; --missing \"" +
          column.Cell(row) + "\" says that this cell holds no number");
}

Domain NumberDomain(const CodedColumn& column, const std::vector<bool>& is_number,
                    const std::vector<double>& numbers) {
  Domain domain{.name = column.name, .kind = Kind::kNumber};
  std::vector<uint32_t> order;
  std::vector<uint32_t> code_of(column.values.size(), 0);
  for (uint32_t v = 0; v < column.values.size(); ++v) {
    if (is_number[v]) {
      order.push_back(v);
    } else if (!domain.has_missing) {
      domain.has_missing = true;
      domain.labels.push_back(column.values[v]);
      domain.numbers.push_back(0);
    }
  }
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return numbers[a] != numbers[b] ? numbers[a] < numbers[b] : column.values[a] < column.values[b];
  });
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || numbers[order[i]] != numbers[order[i - 1]]) {
      domain.labels.push_back(column.values[order[i]]);
      domain.numbers.push_back(numbers[order[i]]);
    }
    code_of[order[i]] = static_cast<uint32_t>(domain.labels.size() - 1);
  }
  if (domain.has_missing && domain.numbers.size() > 1) domain.numbers[0] = domain.numbers[1];
  Recode(column, code_of, domain);
  return domain;
}

Domain CategoryDomain(const CodedColumn& column) {
  Domain domain{.name = column.name, .kind = Kind::kCategory};
  std::vector<uint32_t> order(column.values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return column.values[a] < column.values[b]; });
  std::vector<uint32_t> code_of(order.size());
  for (uint32_t code = 0; code < order.size(); ++code) {
    code_of[order[code]] = code;
    domain.labels.push_back(column.values[order[code]]);
  }
  Recode(column, code_of, domain);
  return domain;
}

Result<Domain> HierarchyDomain(const Table& table, const CodedColumn& column,
                               std::shared_ptr<const Hierarchy> hierarchy) {
  Domain domain{.name = column.name, .kind = Kind::kHierarchy};
  domain.labels = hierarchy->leaves;
  std::vector<uint32_t> code_of;
  for (uint32_t v = 0; v < column.values.size(); ++v) {
    const auto found = hierarchy->leaf_of.find(column.values[v]);
    if (found == hierarchy->leaf_of.end()) {
      return InvalidArgument(table.Place(FirstRows(column)[v]) + ": " + column.name + " is \"" +
                                 column.values[v] + "\", which its hierarchy does not have",
                             "add a line for it to the hierarchy");
    }
    code_of.push_back(found->second);
  }
  Recode(column, code_of, domain);
  domain.hierarchy = std::move(hierarchy);
  return domain;
}

}  // namespace

bool ParseNumber(std::string_view text, double& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && !text.empty() &&
         std::isfinite(number);
}

Result<Domain> MakeDomain(const Table& table, size_t index, const DomainOptions& options) {
  const CodedColumn& column = table.columns[index];
  if (options.hierarchy != nullptr) return HierarchyDomain(table, column, options.hierarchy);
  if (options.wish == Wish::kCategory) return CategoryDomain(column);
  std::vector<bool> is_number(column.values.size());
  std::vector<double> numbers(column.values.size());
  size_t texts = 0, missing = 0;
  for (size_t v = 0; v < column.values.size(); ++v) {
    if (options.missing.contains(column.values[v])) {
      ++missing;
    } else if (ParseNumber(column.values[v], numbers[v])) {
      is_number[v] = true;
    } else {
      ++texts;
    }
  }
  const size_t found = column.values.size() - texts - missing;
  if (texts == 0 && found > 0) return NumberDomain(column, is_number, numbers);
  if (found == 0 && options.wish == Wish::kAuto) return CategoryDomain(column);
  for (size_t v = 0; v < column.values.size(); ++v) {
    // A missing cell is no reason for the error, so it is not shown as one.
    if (options.missing.contains(column.values[v])) is_number[v] = found >= texts;
  }
  return MixedTypes(table, column, is_number);
}

}  // namespace tacit::anonymize
