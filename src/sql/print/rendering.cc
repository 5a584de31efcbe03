#include "sql/print/rendering.h"

#include <algorithm>
#include <charconv>

namespace tacit::sql {

std::string CallText(const std::string& name, const std::vector<std::string>& arguments) {
  std::string text = name + "(";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

std::string Connected(const Application& a, const char* word) {
  std::string text = "(" + a.text[0];
  for (size_t i = 1; i < a.text.size(); ++i) text += std::string(" ") + word + " " + a.text[i];
  return text + ")";
}

std::string InfixText(const Application& a) {
  return "(" + a.text[0] + " " + std::string(a.apply.function->name) + " " + a.text[1] + ")";
}

std::string InText(const Application& a) {
  std::string text = "(" + a.text[0] + " IN (" + a.text[1];
  for (size_t i = 2; i < a.text.size(); ++i) text += ", " + a.text[i];
  return text + "))";
}

int64_t NumberAt(const Application& a, size_t i) {
  const std::string& text = a.literal(i)->text;
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool CanGrow(const Application& a) {
  const auto& arguments = a.apply.arguments;
  return std::count_if(arguments.begin(), arguments.end(),
                       [](const Bound& argument) { return As<Literal>(argument) == nullptr; }) > 1;
}

std::string ArrayText(const std::vector<std::string>& texts) {
  std::string text = "('{'";
  for (size_t i = 0; i < texts.size(); ++i) {
    text += (i == 0 ? " || coalesce(" : " || ',' || coalesce(") + texts[i] + ", 'NULL')";
  }
  return text + " || '}')";
}

std::string PowerOfTen(int power) { return "1" + std::string(static_cast<size_t>(power), '0'); }

}  // namespace tacit::sql
