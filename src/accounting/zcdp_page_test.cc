#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "accounting/zcdp.h"

// The example that docs/zcdp.md works by hand: every figure in bold there is computed here.
namespace tacit::accounting {
namespace {

std::string Page() {
  std::ifstream file(TACIT_ZCDP_PAGE);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The digits are cut, not rounded: what is left is never said to be more.
std::string Cut(double value, int digits) {
  const double unit = std::pow(10, digits);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, std::floor(value * unit) / unit);
  return text;
}

void ExpectOnPage(const std::string& figure) {
  EXPECT_NE(Page().find("**" + figure + "**"), std::string::npos) << figure << " is not there";
}

TEST(ZcdpPage, ShowsTheBudgetAndWhatIsLeftOfIt) {
  const Delta half(1, 2'000'000);
  const Rho budget = ZcdpRhoDown(Epsilon(3, 1), half);
  ExpectOnPage(Cut(budget.value.get_d(), 5));
  const Rational one(1, 200);  // 0.1^2 / 2
  ExpectOnPage(Cut(one.get_d() + 1e-12, 3));
  const Rho after_one(Rational(budget.value - one));
  ExpectOnPage(Cut(after_one.value.get_d(), 5));
  ExpectOnPage(Cut(ZcdpEpsilonDown(after_one, half), 4));
  const Rho after_ten(Rational(budget.value - 10 * one));
  ExpectOnPage(Cut(ZcdpEpsilonDown(after_ten, half), 4));
  ExpectOnPage(FloorOf(Rational(budget.value / one)).get_str());
  ExpectOnPage(Cut(ZcdpEpsilonUp(Rho(Rational(100 * one)), Delta(1, 1'000'000)), 4));
}

TEST(ZcdpPage, ShowsTheNoiseOfACountAndOfManyGroups) {
  const double rho = 0.005;
  ExpectOnPage(Cut(1 / (2 * rho) + 1e-9, 0));            // sigma squared
  ExpectOnPage(Cut(std::ceil(1.959964 * 10 - 0.5), 0));  // of the discrete Gaussian
  ExpectOnPage(Cut(std::ceil(10 * std::log(1 / 0.05)), 0));
  ExpectOnPage(Cut(std::sqrt(20), 3));
  ExpectOnPage(Cut(std::ceil(1.959964 * std::sqrt(20 / (2 * rho)) - 0.5), 0));
  ExpectOnPage(Cut(std::sqrt(8 * rho) + 1e-9, 1));
}

// Of how many counts that share epsilon 3 and this delta each has less noise than under pure.
int CountsForLessNoise(const Rational& delta) {
  const double rho = ZcdpRhoDown(Epsilon(3, 1), Delta(Rational(delta / 2))).value.get_d();
  int counts = 1;
  while (1.959964 * std::sqrt(counts / (2 * rho)) >= std::log(20) * counts / 3) ++counts;
  return counts;
}

TEST(ZcdpPage, ShowsFromHowManyQuestionsOnItIsLessNoise) {
  ExpectOnPage(std::to_string(CountsForLessNoise(Rational(1, 1'000'000))));
  ExpectOnPage(std::to_string(CountsForLessNoise(Rational(1, 1'000'000'000))));
}

// Sigma 10 is paid for, sigma 5 is wanted, and rounding both to one whole number is a quarter.
TEST(ZcdpPage, ShowsWhatASmallerErrorCostsLater) {
  ExpectOnPage(Cut((1 / (25 - 0.25) - 1.0 / 100) / 2, 4));
}

}  // namespace
}  // namespace tacit::accounting
