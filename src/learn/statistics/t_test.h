#pragma once

#include <array>
#include <optional>

#include "learn/statistics/chance.h"

namespace tacit::learn {

// Of the rows of one group: how many there are, and the sums of u and of u * u, with noise. u lies
// in [-half, half].
struct GroupSums {
  double rows = 0;
  double sum = 0;
  double squares = 0;
};

// Two groups, each with the same noise in its numbers.
struct TwoGroups {
  std::array<GroupSums, 2> groups;
  double half = 1;
  NoiseLaw rows_noise;
  NoiseLaw sum_noise;
  NoiseLaw squares_noise;
};

// How far apart the means of two groups are, with noise and the luck of who is in the data.
struct TTest {
  std::array<double, 2> rows = {};
  // All of the rest: only where the noise leaves something to say of both groups.
  struct Found {
    std::array<double, 2> means = {};  // of u
    double difference = 0;             // the second less the first
    double se_noise = 0;
    double se_sample = 0;
    double t = 0;
    double margin = 0;   // of the difference, in 95 % of cases
    double p_value = 1;  // two-sided
  };
  std::optional<Found> found = {};
};

// A function of what was released and nothing else; statistics.md says how well it decides.
TTest CompareMeans(const TwoGroups& sums);

}  // namespace tacit::learn
