#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "wire/pg/types/parts.h"

// numeric: how many base-10000 digits, the weight of the first, the sign, the decimal places shown,
// then the digits.

namespace tacit::wire::pg {
namespace {

constexpr int kNegative = 0x4000, kNaN = 0xC000, kInfinity = 0xD000, kMinusInfinity = 0xF000;

// Why 1000: far beyond any number of ours, small enough to cost nothing.
constexpr size_t kDigitsMax = 1000;

std::string Header(size_t digits, int weight, int sign, size_t scale) {
  return BytesOf(static_cast<int64_t>(digits), 2) + BytesOf(weight, 2) + BytesOf(sign, 2) +
         BytesOf(static_cast<int64_t>(scale), 2);
}

}  // namespace

std::string BytesOf(int64_t value, size_t bytes) {
  std::string out;
  for (size_t i = bytes; i-- > 0;) {
    out += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 0xff);
  }
  return out;
}

std::optional<int64_t> IntegerOf(std::string_view bytes, size_t expected) {
  if (bytes.size() != expected) return std::nullopt;
  uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  if (expected == 2) return static_cast<int16_t>(value);
  if (expected == 4) return static_cast<int32_t>(value);
  return static_cast<int64_t>(value);
}

std::optional<int64_t> ParseInteger(std::string_view text, int64_t least, int64_t most) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() ||
      value < least || value > most) {
    return std::nullopt;
  }
  return value;
}

std::string NumericBinary(const engine::Numeric& value) {
  const bool negative = value.unscaled < 0;
  auto left = static_cast<UInt128>(value.unscaled);
  if (negative) left = UInt128{0} - left;
  const auto scale = static_cast<size_t>(std::max(value.scale, 0));
  std::vector<int> digits;  // the last one first
  const auto take = [&](unsigned ten_power, int factor) {
    digits.push_back(static_cast<int>(left % ten_power) * factor);
    left /= ten_power;
  };
  // The decimal point stands between two digits, so the last one may have fewer places.
  constexpr unsigned kTens[] = {1, 10, 100, 1000, 10000};
  if (const size_t places = scale % 4; places > 0) {
    take(kTens[places], static_cast<int>(kTens[4 - places]));
  }
  while (left > 0) take(10000, 1);
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
  const int weight = static_cast<int>(digits.size()) - 1 - static_cast<int>((scale + 3) / 4);
  const auto last =
      std::find_if(digits.begin(), digits.end(), [](int digit) { return digit != 0; });
  const auto count = static_cast<size_t>(digits.end() - last);
  std::string out = Header(count, count == 0 ? 0 : weight, negative ? kNegative : 0, scale);
  for (auto digit = digits.rbegin(); digit != std::make_reverse_iterator(last); ++digit) {
    out += BytesOf(*digit, 2);
  }
  return out;
}

std::optional<std::string> NumericBinary(std::string_view text) {
  if (text == "NaN") return Header(0, 0, kNaN, 0);
  if (text == "Infinity") return Header(0, 0, kInfinity, 0);
  if (text == "-Infinity") return Header(0, 0, kMinusInfinity, 0);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int64_t exponent = 0;
  if (const size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    const auto parsed = ParseInteger(text.substr(e + 1), -1000, 1000);
    if (!parsed) return std::nullopt;
    exponent = *parsed;
    text = text.substr(0, e);
  }
  const size_t point = std::min(text.find('.'), text.size());
  std::string whole(text.substr(0, point));
  std::string fraction(point < text.size() ? text.substr(point + 1) : "");
  const auto digits_only = [](const std::string& part) {
    return std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (whole.size() + fraction.size() == 0 || whole.size() + fraction.size() > kDigitsMax ||
      !digits_only(whole) || !digits_only(fraction)) {
    return std::nullopt;
  }
  for (; exponent > 0; --exponent) {
    whole += fraction.empty() ? '0' : fraction.front();
    if (!fraction.empty()) fraction.erase(0, 1);
  }
  for (; exponent < 0; ++exponent) {
    fraction.insert(fraction.begin(), whole.empty() ? '0' : whole.back());
    if (!whole.empty()) whole.pop_back();
  }
  const size_t scale = fraction.size();
  whole.insert(0, (4 - whole.size() % 4) % 4, '0');
  fraction.append((4 - fraction.size() % 4) % 4, '0');
  const std::string all = whole + fraction;
  std::vector<int> digits;
  for (size_t i = 0; i < all.size(); i += 4) {
    digits.push_back(static_cast<int>(*ParseInteger(all.substr(i, 4), 0, 9999)));
  }
  int weight = static_cast<int>(whole.size() / 4) - 1;
  size_t first = 0;
  while (first < digits.size() && digits[first] == 0) ++first;
  size_t last = digits.size();
  while (last > first && digits[last - 1] == 0) --last;
  weight = first == last ? 0 : weight - static_cast<int>(first);
  std::string out = Header(last - first, weight, negative && first != last ? kNegative : 0, scale);
  for (size_t i = first; i < last; ++i) out += BytesOf(digits[i], 2);
  return out;
}

std::optional<std::string> NumericText(std::string_view binary) {
  if (binary.size() < 8 || binary.size() % 2 != 0) return std::nullopt;
  const auto field = [&](size_t i) {
    return static_cast<int>(*IntegerOf(binary.substr(2 * i, 2), 2));
  };
  const int count = field(0), weight = field(1), sign = field(2) & 0xffff, scale = field(3);
  if (sign == kNaN) return "NaN";
  if (sign == kInfinity) return "Infinity";
  if (sign == kMinusInfinity) return "-Infinity";
  if (count < 0 || static_cast<size_t>(count) != binary.size() / 2 - 4 || scale < 0 ||
      scale > static_cast<int>(kDigitsMax) || weight > 250 || weight < -250 ||
      (sign != 0 && sign != kNegative)) {
    return std::nullopt;
  }
  const auto digit = [&](int place) {  // place: the power of 10000
    const int index = weight - place;
    return index >= 0 && index < count ? field(4 + static_cast<size_t>(index)) : 0;
  };
  std::string whole;
  for (int place = std::max(weight, 0); place >= 0; --place) {
    const int value = digit(place);
    if (value < 0 || value > 9999) return std::nullopt;
    std::string four = std::to_string(value);
    whole += std::string(4 - four.size(), '0') + four;
  }
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  std::string fraction;
  for (int place = -1; static_cast<int>(fraction.size()) < scale; --place) {
    const int value = digit(place);
    if (value < 0 || value > 9999) return std::nullopt;
    std::string four = std::to_string(value);
    fraction += std::string(4 - four.size(), '0') + four;
  }
  fraction.resize(static_cast<size_t>(scale));
  if (whole.size() + fraction.size() > kDigitsMax) return std::nullopt;  // as the text's reader
  return (sign == kNegative ? "-" : "") + whole + (scale > 0 ? "." + fraction : "");
}

}  // namespace tacit::wire::pg
