#include "plan/derive/shape.h"
#include "plan/derive/words.h"

namespace tacit::plan {

std::string ShapeText(const Shape& shape) {
  std::string text = "rows " + shape.rows;
  for (const std::string& filter : shape.filters) text += " where " + filter;
  for (const KeyShape& key : shape.keys) {
    text += " key " + key.question + " " + (key.column.empty() ? "-" : key.column);
  }
  for (const MeasureShape& measure : shape.measures) {
    text += " measure " + measure.question + (measure.adds_up ? " sum " : " own ") +
            WordOf(measure.noise);
  }
  return text;
}

std::optional<Shape> ReadShape(const std::string& text) {
  const std::vector<std::string> words = PartsOf(text, ' ');
  const auto word = [&](size_t i) { return i < words.size() ? words[i] : ""; };
  Shape shape;
  for (size_t i = 0; i < words.size();) {
    const std::string& what = words[i];
    const std::string question = word(i + 1);
    if (what == "rows") {
      shape.rows = question;
      i += 2;
    } else if (what == "where") {
      shape.filters.push_back(question);
      i += 2;
    } else if (what == "key") {
      shape.keys.push_back({question, word(i + 2) == "-" ? "" : word(i + 2)});
      i += 3;
    } else {
      std::optional<StoredNoise> noise = ReadNoise(word(i + 3));
      if (!noise) return std::nullopt;
      shape.measures.push_back({question, word(i + 2) == "sum", std::move(*noise)});
      i += 4;
    }
  }
  return ShapeText(shape) == text ? std::optional(std::move(shape)) : std::nullopt;
}

}  // namespace tacit::plan
