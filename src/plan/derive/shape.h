#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/facts.h"
#include "plan/derive/stored_noise.h"

// What a released table tells, in parts that can be compared one by one: of which rows, by which
// keys, which numbers, and with which noise. Each part is a digest, so that the ledger can keep a
// shape without the question's text. Two tables whose parts fit can answer for each other
// (derive.md), and a fingerprint is for those of which all parts are the same.

namespace tacit::plan {

struct KeyShape {
  std::string question;  // the expression, and the list that its values are shown from
  std::string column;    // of a key that is a plain column; else empty
  friend bool operator==(const KeyShape&, const KeyShape&) = default;
};

struct MeasureShape {
  std::string question;
  // Whether a group's number is the sum of those of its parts.
  bool adds_up = false;
  StoredNoise noise;
  friend bool operator==(const MeasureShape&, const MeasureShape&) = default;
};

// A condition that says which values a column has in every row that is left.
struct Pin {
  std::string filter;                // the condition, as in Shape::filters
  std::string column;                // as in KeyShape
  std::vector<sql::Literal> values;  // each once
};

struct Shape {
  std::string rows;                  // tables, joins, units, row caps
  std::vector<std::string> filters;  // conjuncts, in order, each once
  std::vector<KeyShape> keys;
  std::vector<MeasureShape> measures;
  std::vector<Pin> pins = {};  // of the filters; not kept
};

// The shape of the table that a block is released as, where its parts can be told: with every key
// public, without released constants and totals. `measures` are those of `block`, with their noise.
// proof: plan/derive/derive.md#what-is-compared
std::optional<Shape> ShapeOf(const analysis::Block& block,
                             const std::vector<noise::AnyMechanism>& measures);

// As the ledger keeps it, without the pins; and back. Nothing for a text that writing would not
// produce.
std::string ShapeText(const Shape& shape);
std::optional<Shape> ReadShape(const std::string& text);

}  // namespace tacit::plan
