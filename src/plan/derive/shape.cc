#include "plan/derive/shape.h"

#include <algorithm>

#include "base/mutant.h"
#include "base/secrets/digest.h"
#include "plan/derive/rows_question.h"
#include "plan/fingerprint/texts.h"

namespace tacit::plan {
namespace {

using analysis::MeasureKind;

// Why 32 digits: 128 bits, as hard to meet by chance or on purpose as any key.
std::string Digest(const std::string& text) { return Sha256Hex(text).substr(0, 32); }

std::string ColumnDigest(const sql::Expression& column) {
  std::string text;
  Line(text, "column", CanonicalText(column));
  return Digest(text);
}

std::string FilterDigest(const sql::Expression& filter) {
  std::string text;
  Line(text, "where", CanonicalText(filter));
  return Digest(text);
}

// Within a cap on groups, or a limit on a person's own sum, a number is of what is left of all
// groups together: other keys or conditions leave something else.
bool LooksBeyondItsGroup(const analysis::ExactMeasure& measure) {
  return measure.cap || measure.own_sum;
}

bool AddsUp(const analysis::ExactMeasure& measure) {
  if (LooksBeyondItsGroup(measure)) return false;
  if (TACIT_MUTANT("people_add_up") && measure.kind == MeasureKind::kUnits) return true;
  return measure.kind == MeasureKind::kRows || measure.kind == MeasureKind::kValues ||
         measure.kind == MeasureKind::kSum || measure.kind == MeasureKind::kSumOfSquares ||
         measure.kind == MeasureKind::kSumOfProducts;
}

std::string MeasureDigest(const analysis::ExactMeasure& measure, const analysis::Block& block) {
  std::string text;
  AddMeasure(text, measure, false, true);
  Line(text, "part", std::to_string(static_cast<int>(measure.part)));
  if (LooksBeyondItsGroup(measure)) {
    for (const analysis::Key& key : block.keys) AddKey(text, key);
    for (const sql::Expression& filter : block.rows.filters)
      Line(text, "where", CanonicalText(filter));
  }
  return Digest(text);
}

const sql::Literal* PlainLiteral(const sql::Expression& expression) {
  const auto* literal = sql::As<sql::Literal>(expression);
  if (literal == nullptr) return nullptr;
  const bool plain = literal->kind == sql::LiteralKind::kString ||
                     literal->kind == sql::LiteralKind::kInteger ||
                     literal->kind == sql::LiteralKind::kBoolean;
  return plain ? literal : nullptr;
}

std::optional<Pin> PinOf(const sql::Expression& filter) {
  sql::Expression column;
  std::vector<sql::Expression> values;
  if (const auto* equal = sql::As<sql::Operator>(filter)) {
    if (equal->symbol != "=" || equal->arguments.size() != 2) return std::nullopt;
    const bool first = sql::As<sql::ColumnReference>(equal->arguments[0]) != nullptr;
    column = equal->arguments[first ? 0 : 1];
    values = {equal->arguments[first ? 1 : 0]};
  } else if (const auto* in = sql::As<sql::InList>(filter)) {
    if (in->negated) return std::nullopt;
    column = in->operand;
    values = in->list;
  }
  if (!column || sql::As<sql::ColumnReference>(column) == nullptr) return std::nullopt;
  Pin pin{.filter = FilterDigest(filter), .column = ColumnDigest(column), .values = {}};
  for (const sql::Expression& value : values) {
    const sql::Literal* literal = PlainLiteral(value);
    if (literal == nullptr) return std::nullopt;
    const bool is_new =
        std::find(pin.values.begin(), pin.values.end(), *literal) == pin.values.end();
    if (is_new) pin.values.push_back(*literal);
  }
  return pin;
}

}  // namespace

std::string QuestionOfRows() {
  analysis::ExactMeasure rows;
  rows.kind = MeasureKind::kRows;
  return MeasureDigest(rows, {});
}

std::optional<Shape> ShapeOf(const analysis::Block& block,
                             const std::vector<noise::AnyMechanism>& measures) {
  TACIT_ASSERT(measures.size() == block.measures.size());
  const bool told = !block.HasPrivateKeys() && !block.group_cap && block.constants.empty() &&
                    block.made_from.empty() && !block.totals && block.counted_values.empty() &&
                    !block.rows.public_preserved;
  if (!told) return std::nullopt;
  Shape shape;
  std::string rows;
  AddSource(rows, block.rows.source);
  shape.rows = Digest(rows);
  for (const sql::Expression& filter : block.rows.filters) {
    shape.filters.push_back(FilterDigest(filter));
    if (std::optional<Pin> pin = PinOf(filter)) shape.pins.push_back(std::move(*pin));
  }
  std::sort(shape.filters.begin(), shape.filters.end());
  shape.filters.erase(std::unique(shape.filters.begin(), shape.filters.end()), shape.filters.end());
  for (const analysis::Key& key : block.keys) {
    std::string text;
    AddKey(text, key);
    const bool plain = sql::As<sql::ColumnReference>(key.expression) != nullptr;
    shape.keys.push_back({Digest(text), plain ? ColumnDigest(key.expression) : ""});
  }
  for (size_t i = 0; i < measures.size(); ++i) {
    std::optional<StoredNoise> noise = NoiseOf(*measures[i]);
    if (!noise) return std::nullopt;
    shape.measures.push_back({.question = MeasureDigest(block.measures[i], block),
                              .adds_up = AddsUp(block.measures[i]),
                              .noise = std::move(*noise)});
  }
  return shape;
}

}  // namespace tacit::plan
