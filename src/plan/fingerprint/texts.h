#pragma once

#include <string>

#include "analysis/facts.h"

// The parts of what a release asks, each as one text: the same for every way of writing it.

namespace tacit::plan {

// Lines with their lengths, so that no text can pose as two.
void Line(std::string& text, const std::string& word, const std::string& value);

std::string CanonicalText(const sql::Expression& expression);
std::string CapText(const std::optional<analysis::GroupCap>& cap);

// Whose rows, joined how, within which caps.
void AddSource(std::string& text, const analysis::RowSource& source);
// What the groups are told apart by, and the list that they are shown from.
void AddKey(std::string& text, const analysis::Key& key);
// What is added up or chosen; `with_ends`: around a quantile an interval is released as well.
void AddMeasure(std::string& text, const analysis::ExactMeasure& measure, bool with_ends,
                bool with_cap);

}  // namespace tacit::plan
