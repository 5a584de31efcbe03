#include "answer/shown/margins.h"

#include <algorithm>
#include <cmath>

#include "answer/format/numbers.h"

namespace tacit::answer {

std::optional<Rational> MarginIn(const std::vector<engine::Value>& margins,
                                 const plan::OutputColumn& column) {
  if (!column.margin || *column.margin >= margins.size()) return std::nullopt;
  const auto* number = std::get_if<double>(&margins[*column.margin]);
  if (number == nullptr || !std::isfinite(*number)) return std::nullopt;
  return RationalOf(*number);
}

std::optional<double> ErrorIn(const std::vector<engine::Value>& margins,
                              const plan::OutputColumn& column) {
  if (const std::optional<Rational> margin = MarginIn(margins, column)) return margin->get_d();
  const bool known = column.error && !column.error->in_rows && column.error->condition.empty();
  return known ? std::optional(column.error->moe95.get_d()) : std::nullopt;
}

std::optional<double> FiniteNumber(const engine::Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr) return std::isfinite(*real) ? std::optional(*real) : std::nullopt;
  if (!std::holds_alternative<engine::Numeric>(value)) return std::nullopt;
  return std::stod(engine::ToText(value));
}

std::string MarginSentence(const Answer& answer) {
  std::string phrases;
  for (const plan::OutputColumn& column : answer.columns) {
    std::optional<Rational> least;
    std::optional<Rational> most;
    for (const std::vector<engine::Value>& row : answer.margins) {
      const std::optional<Rational> margin = MarginIn(row, column);
      if (!margin) continue;
      if (!least || *margin < *least) least = margin;
      if (!most || *margin > *most) most = margin;
    }
    if (!most || *most == 0) continue;
    std::string range = MarginText(*most);
    if (MarginText(*least) != range) range = MarginText(*least) + " to " + range;
    phrases += (phrases.empty() ? "" : ", ") + range + " (" + column.name + ")";
  }
  if (phrases.empty()) return "";
  return "95 % of answers like this are within " + phrases + " of the truth.";
}

std::vector<std::string> NoticesOf(const Answer& answer) {
  std::vector<std::string> notices = answer.notices;
  std::string margins = MarginSentence(answer);
  if (!margins.empty()) notices.push_back(std::move(margins));
  return notices;
}

}  // namespace tacit::answer
