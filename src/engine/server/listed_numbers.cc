#include "engine/server/listed_numbers.h"

#include <charconv>

namespace tacit::engine::server {
namespace {

using noise::Form;

std::optional<std::vector<uint64_t>> ReadCounts(std::string_view text) {
  std::vector<uint64_t> counts;
  if (text.empty()) return counts;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (;;) {
    uint64_t count = 0;
    const auto [next, problem] = std::from_chars(at, end, count);
    if (problem != std::errc()) return std::nullopt;
    counts.push_back(count);
    if (next == end) return counts;
    if (*next != ',') return std::nullopt;
    at = next + 1;
  }
}

// Cells, each with its rows behind it.
std::optional<ExactNumber> ReadCells(std::string_view bytes) {
  const std::optional<std::vector<uint64_t>> words = ReadCounts(bytes);
  if (!words || words->size() % 2 != 0) return std::nullopt;
  std::vector<noise::FullCells::Cell> cells(words->size() / 2);
  for (size_t i = 0; i < cells.size(); ++i) cells[i] = {(*words)[2 * i], (*words)[2 * i + 1]};
  std::optional<noise::FullCells> full = noise::FullCells::Of(std::move(cells));
  if (!full) return std::nullopt;
  return ExactNumber(std::move(*full));
}

}  // namespace

std::vector<Form> FormsOf(const plan::Release& release) {
  std::vector<Form> forms;
  for (const plan::Measure& measure : release.measures) forms.push_back(measure.mechanism->Reads());
  return forms;
}

bool HasUnits(const plan::Release& release) {
  return std::holds_alternative<plan::UnitsChoice>(release.selection);
}

std::optional<ExactNumber> ReadListed(std::string_view text, Form form) {
  if (form == Form::kFullCells) return ReadCells(text);
  auto counts = ReadCounts(text);
  if (!counts) return std::nullopt;
  return ExactNumber(std::move(*counts));
}

}  // namespace tacit::engine::server
