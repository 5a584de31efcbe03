#pragma once

#include <string>
#include <vector>

#include "engine/statement/dialect.h"
#include "sql/print/partial_dialect.h"

namespace tacit::engine::statement {

// How an engine without functions of Tacit's own adds up: its wide whole numbers, which hold every
// sum, and a few words.
class AggregateWords {
 public:
  virtual ~AggregateWords() = default;

  virtual const sql::PartialDialect& Dialect() const = 0;
  // Digits as a number in double precision.
  virtual std::string Real(const std::string& digits) const = 0;
  // Towards zero, of a double.
  virtual std::string Truncated(const std::string& real) const = 0;
  // A whole number, or a count, as one of the widest type; one that is written out.
  virtual std::string Wide(const std::string& number) const = 0;
  virtual std::string WideNumber(const Integer& number) const = 0;
  // Of two whole numbers that are not negative, as a bigint.
  virtual std::string Divided(const std::string& number, const std::string& by) const = 0;
  // Whether sums of numbers up to this size fit, over any number of rows that there can be.
  virtual bool HasRoomFor(const Integer& summand) const = 0;
  // The sum of whole numbers, before FILTER: no order of rows and no number of them makes it raise.
  virtual std::string Sum(const std::string& summand) const = 0;
  // Numbers between commas, as a text; how many there may be.
  virtual std::string Joined(const std::vector<std::string>& counts) const = 0;
  virtual size_t CountsMax() const = 0;
  // The cells that hold rows, in rising order, each with its number of rows behind it, between
  // commas; empty for no rows. NULL is in no cell.
  virtual std::string FullCells(const std::string& cell, const std::string& tail) const = 0;
};

// The grid integer of a summand, clamped; NULL for NULL; exact in whatever order it is added up.
std::string PrintSummand(const std::string& value, const tree::Aggregate& aggregate,
                         const AggregateWords& words);
std::string PrintAggregate(const tree::Aggregate& aggregate, tree::CountPeople people,
                           const AggregateWords& words);
std::string PrintOwnSumBefore(const tree::Aggregate& aggregate, const std::string& order,
                              const AggregateWords& words);
std::string PrintPeople(tree::CountPeople people, const std::string& filter,
                        const AggregateWords& words);
// What a group without rows has, where lists are texts.
std::string NothingAsText(const tree::Aggregate& aggregate);

}  // namespace tacit::engine::statement
