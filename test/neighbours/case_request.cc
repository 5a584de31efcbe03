#include "case_request.h"

#include <sstream>

namespace tacit::neighbours {
namespace {

constexpr char kZoneWord[] = "zone=";

Result<plan::Wish> ReadWish(const std::string& text) {
  plan::Wish wish;
  std::stringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "intervals") wish.intervals = true;
    const size_t equals = word.find('=');
    if (equals == std::string::npos || word.starts_with(kZoneWord)) continue;
    TACIT_TRY(const Rational value, ParseRational(word.substr(equals + 1)));
    if (word.starts_with("epsilon")) wish.epsilon = Epsilon(value);
    if (word.starts_with("delta")) wish.delta = Delta(value);
    if (word.starts_with("error"))
      wish.error = plan::ErrorWish{.named = {}, .others = plan::ErrorTarget{value}};
  }
  return wish;
}

}  // namespace

gateway::Request RequestOf(const golden::Case& test) {
  gateway::Request request{
      .text = test.query, .analyst = "", .request_id = "", .wish = *ReadWish(test.wish)};
  std::stringstream words(test.wish);
  for (std::string word; words >> word;) {
    if (word.starts_with(kZoneWord)) {
      request.zone = TimeZone::Find(word.substr(sizeof kZoneWord - 1)).value();
    }
  }
  return request;
}

}  // namespace tacit::neighbours
