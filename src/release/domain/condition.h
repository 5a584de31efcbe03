#pragma once

#include "release/domain/domain.h"
#include "release/fit/queries.h"

namespace tacit::release {

// A condition as SQL writes it: comparisons of a column with a literal, IN, BETWEEN and IS NULL,
// joined by AND. Each column's values that meet it are a set of cells.
class Condition {
 public:
  // kInvalidArgument, with `where` (a file and a line, say) before it, for anything else, for a
  // column that is not released, and for one whose values nobody listed.
  // `elsewhere` is set where it is about a column that is not among the attributes.
  static Result<Condition> Read(const std::string& text, const std::vector<Attribute>& attributes,
                                const std::string& where, bool* elsewhere = nullptr);

  // Ends cells of numbers and days where the condition changes, so that every cell meets it or
  // does not.
  void Cut(std::vector<Attribute>& attributes) const;

  // The sets, once the attributes have been cut for this condition.
  Impossible Sets(const std::vector<Attribute>& attributes) const;

  // One comparison: the column's value is `symbol` than any of the literals.
  struct Test {
    size_t column = 0;
    std::string symbol;                 // = <> < <= > >= null not-null
    std::vector<std::string> literals;  // several for =, as IN has them, and <>
  };

 private:
  std::vector<Test> tests_;
};

// What the policy calls impossible in the table. Rules about columns that are not released say
// nothing about the release and are left out.
Result<std::vector<Condition>> RulesOf(const policy::Table& table, const policy::Schema& schema,
                                       const std::vector<Attribute>& attributes);

// What a workload file asks for, one query a line: "age, sex" is a table, "count where age < 25
// and sex = 'F'" a number, "average income where age < 25" too. What follows # is a comment.
struct WorkloadQuery {
  std::string text;
  std::vector<size_t> columns;         // of a table
  std::optional<size_t> average = {};  // the column of an average
  std::optional<Condition> condition = {};
};
Result<std::vector<WorkloadQuery>> ReadWorkload(const std::string& text, const std::string& file,
                                                const std::vector<Attribute>& attributes);
// The query for the mechanism, once the attributes have been cut.
Query QueryOf(const WorkloadQuery& asked, const std::vector<Attribute>& attributes);

// Where the sets of these rules and queries begin and end in each column: bins end there too.
void AddCuts(const std::vector<Impossible>& sets, std::vector<ColumnShape>& shapes);

}  // namespace tacit::release
