#include "accounting/account/parse_term.h"

#include <gtest/gtest.h>

namespace tacit::accounting {
namespace {

TEST(ParseTerm, ReadsEveryKind) {
  const Term laplace = ParseTerm("laplace:0.1*100").value();
  EXPECT_EQ(std::get<LaplaceEvent>(laplace.event).epsilon, Epsilon(1, 10));
  EXPECT_EQ(laplace.count, 100u);
  const auto sampled =
      std::get<SubsampledGaussianEvent>(ParseTerm("sgaussian:q=0.01,sigma=2").value().event);
  EXPECT_EQ(sampled.sigma, 2);
  EXPECT_EQ(sampled.rate, Rational(1, 100));
  const auto approx =
      std::get<ApproximateEvent>(ParseTerm("approx:eps=1,delta=1e-6").value().event);
  EXPECT_EQ(approx.delta, Delta(1, 1000000));
  const auto discrete =
      std::get<DiscreteLaplaceEvent>(ParseTerm("dlaplace:scale=10,sensitivity=3").value().event);
  EXPECT_EQ(discrete.sensitivity_l1, 3);
  EXPECT_EQ(
      std::get<DiscreteLaplaceEvent>(ParseTerm("dlaplace:scale=10").value().event).sensitivity_l1,
      1);
  EXPECT_EQ(
      std::get<DiscreteGaussianEvent>(ParseTerm("dgaussian:sigma=3").value().event).sigma_squared,
      9);
}

TEST(ParseTerm, NamesTheParameterThatIsWrong) {
  const struct {
    const char* text;
    const char* named;
  } rows[] = {{"laplace:0", "epsilon"},
              {"laplace:-1", "epsilon"},
              {"laplace:nan", "epsilon"},
              {"laplace:inf", "epsilon"},
              {"gaussian:sigma=0", "sigma"},
              {"sgaussian:sigma=1,q=0", "q must"},
              {"sgaussian:sigma=1,q=1.1", "q must"},
              {"sgaussian:sigma=1", "q is missing"},
              {"approx:1,1", "delta must"},
              {"approx:1", "delta is missing"},
              {"laplace:1*0", "count"},
              {"laplace:1*18446744073709551616", "count"},
              {"laplace:1*-1", "count"},
              {"laplace:1*", "count"},
              {"staircase:1", "unknown kind"},
              {"laplace", "missing"},
              {"laplace:1,2", "too many"},
              {"gaussian:sigma=1,sigma=2", "twice"},
              {"gaussian:scale=1", "unknown parameter"},
              {"dlaplace:scale=1,sensitivity=1.5", "sensitivity"},
              {"", "unknown kind"},
              {"laplace:", "epsilon"}};
  for (const auto& row : rows) {
    const auto term = ParseTerm(row.text);
    ASSERT_FALSE(term.ok()) << row.text;
    EXPECT_EQ(term.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(term.error().public_message.find(row.named), std::string::npos)
        << row.text << ": " << term.error().public_message;
  }
}

}  // namespace
}  // namespace tacit::accounting
