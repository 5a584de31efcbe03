#include "plan/derive/choose.h"

#include <algorithm>

#include "base/mutant.h"

namespace tacit::plan {
namespace {

bool Has(const std::vector<std::string>& sorted, const std::string& text) {
  return std::binary_search(sorted.begin(), sorted.end(), text);
}

std::optional<size_t> KeyOf(const Shape& stored, const std::string& column) {
  for (size_t i = 0; i < stored.keys.size(); ++i) {
    if (!column.empty() && stored.keys[i].column == column) return i;
  }
  return std::nullopt;
}

std::vector<sql::Literal> Common(const std::vector<sql::Literal>& a,
                                 const std::vector<sql::Literal>& b) {
  std::vector<sql::Literal> both;
  std::copy_if(a.begin(), a.end(), std::back_inserter(both), [&](const sql::Literal& value) {
    return std::find(b.begin(), b.end(), value) != b.end();
  });
  return both;
}

// Which values of the stored keys are meant; nothing where a condition is about something else.
std::optional<std::vector<std::pair<size_t, std::vector<sql::Literal>>>> PinsOn(
    const Shape& asked, const Shape& stored) {
  std::vector<std::pair<size_t, std::vector<sql::Literal>>> pins;
  std::vector<std::string> understood;
  for (const Pin& pin : asked.pins) {
    const std::optional<size_t> key = KeyOf(stored, pin.column);
    if (!key) continue;
    understood.push_back(pin.filter);
    const auto before = std::find_if(pins.begin(), pins.end(),
                                     [&](const auto& known) { return known.first == *key; });
    if (before == pins.end()) {
      pins.emplace_back(*key, pin.values);
    } else {
      before->second = Common(before->second, pin.values);
    }
  }
  for (const std::string& filter : asked.filters) {
    const bool known = Has(stored.filters, filter) ||
                       std::find(understood.begin(), understood.end(), filter) != understood.end();
    if (!known) return std::nullopt;
  }
  return pins;
}

MeasureSource SourceOf(const Measure& asked, const MeasureShape& stored, Cells cells) {
  MeasureSource source;
  const bool chosen = stored.noise.kind == StoredNoise::Kind::kChosen;
  if (chosen) {
    source.scale = stored.noise.scale;
    source.moe95 = Rational(stored.noise.chosen_error);
  } else if (std::optional<noise::AnyMechanism> noise = SumOf(stored.noise, cells.each)) {
    source.scale = Rational((*noise)->ScaleUp() * asked.step);
    source.moe95 = Rational((*noise)->ErrorAt95() * asked.step);
    source.noise = std::move(noise);
  }
  source.cells = std::move(cells);
  return source;
}

}  // namespace

std::optional<Cells> CellsOf(const Shape& asked, const Shape& stored) {
  if (asked.rows != stored.rows) return std::nullopt;
  const bool counts_more =
      std::any_of(stored.filters.begin(), stored.filters.end(),
                  [&](const std::string& filter) { return !Has(asked.filters, filter); });
  if (counts_more) return std::nullopt;
  auto pins = PinsOn(asked, stored);
  if (!pins) return std::nullopt;
  Cells cells{.key_of = {}, .pins = std::move(*pins)};
  std::vector<bool> kept(stored.keys.size());
  for (const KeyShape& key : asked.keys) {
    const auto found =
        std::find_if(stored.keys.begin(), stored.keys.end(),
                     [&](const KeyShape& each) { return each.question == key.question; });
    if (found == stored.keys.end()) return std::nullopt;
    cells.key_of.push_back(static_cast<size_t>(found - stored.keys.begin()));
    kept[cells.key_of.back()] = true;
  }
  for (size_t i = 0; i < stored.keys.size(); ++i) {
    if (kept[i]) continue;
    const auto pin = std::find_if(cells.pins.begin(), cells.pins.end(),
                                  [&](const auto& each) { return each.first == i; });
    // Rows whose key is not listed are in no stored group; nothing says that there are none.
    if (pin != cells.pins.end() && !pin->second.empty()) {
      cells.each *= pin->second.size();
    } else if (!TACIT_MUTANT("unlisted_rows_forgotten")) {
      return std::nullopt;
    }
  }
  return cells;
}

std::optional<Derivation> Derive(const Release& asked, const std::vector<const Shape*>& stored,
                                 Fineness fineness) {
  if (!asked.shape) return std::nullopt;
  std::vector<std::optional<MeasureSource>> best(asked.measures.size());
  for (size_t table = 0; table < stored.size(); ++table) {
    const std::optional<Cells> cells = CellsOf(*asked.shape, *stored[table]);
    if (!cells) continue;
    for (size_t i = 0; i < best.size(); ++i) {
      const std::vector<MeasureShape>& measures = stored[table]->measures;
      for (size_t m = 0; m < measures.size(); ++m) {
        if (measures[m].question != asked.shape->measures[i].question) continue;
        if (cells->each > 1 && !measures[m].adds_up) continue;
        MeasureSource source = SourceOf(asked.measures[i], measures[m], *cells);
        source.table = table;
        source.measure = m;
        source.stored_keys = stored[table]->keys.size();
        const bool unknown = !source.noise && measures[m].noise.kind != StoredNoise::Kind::kChosen;
        const bool coarse = source.moe95 > asked.measures[i].moe95;
        if (unknown || (coarse && fineness == Fineness::kAsAsked)) continue;
        if (!best[i] || source.moe95 < best[i]->moe95) best[i] = std::move(source);
      }
    }
  }
  Derivation derivation;
  for (std::optional<MeasureSource>& source : best) {
    if (!source) return std::nullopt;
    derivation.push_back(std::move(*source));
  }
  return derivation;
}

}  // namespace tacit::plan
