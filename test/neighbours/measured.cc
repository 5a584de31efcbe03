#include "measured.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/release.h"
#include "world.h"

namespace tacit::neighbours {
namespace {

// The mechanism that adds no noise: the way in which a test sees an exact value.
struct Exactly {
  template <class T>
  T Apply(const T& exact, Entropy&) const {
    return exact;
  }
};
template <class T>
T Peek(const Sensitive<T>& exact) {
  tacit::testing::SeededEntropy entropy(0);
  return noise::Release(Exactly{}, exact, entropy).value();
}

Integer Distance(const engine::ExactNumber& a, const engine::ExactNumber& b) {
  if (const auto* whole = std::get_if<Int128>(&a)) {
    return abs(ToInteger(*whole) - ToInteger(std::get<Int128>(b)));
  }
  const auto& left = std::get<std::vector<uint64_t>>(a);
  const auto& right = std::get<std::vector<uint64_t>>(b);
  Integer total = 0;
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const Integer x = i < left.size() ? Integer(static_cast<unsigned long>(left[i])) : Integer(0);
    const Integer y = i < right.size() ? Integer(static_cast<unsigned long>(right[i])) : Integer(0);
    total += abs(x - y);
  }
  return total;
}

Result<engine::ExactRelease> RunExactly(engine::Engine& engine, const plan::Release& release) {
  const std::vector<engine::Value> parameters(release.parameters.size(),
                                              engine::Value(kDeploymentKey));
  Result<engine::ExactRelease> exact = engine.Run(release, parameters);
  EXPECT_TRUE(exact.ok()) << exact.error().private_detail << "\n" << release.exact_sql;
  return exact;
}

engine::ExactNumber Nothing(const engine::ExactNumber& like) {
  if (std::holds_alternative<Int128>(like)) return Int128{0};
  return std::vector<uint64_t>();
}

}  // namespace

bool StandsAlone(const plan::Release& release) {
  for (const plan::Parameter& parameter : release.parameters) {
    if (std::holds_alternative<plan::ReleasedConstant>(parameter)) return false;
  }
  return true;
}

MovedUnits MeasuredUnits(engine::Engine& one, engine::Engine& other, const plan::Release& release) {
  std::map<std::vector<engine::Value>, std::pair<uint64_t, uint64_t>> units;
  const auto read = [&](engine::Engine& engine, auto side) {
    const Result<engine::ExactRelease> exact = RunExactly(engine, release);
    if (!exact.ok()) return;
    for (const engine::ExactGroup& group : Peek(std::get<engine::PrivateTable>(*exact).groups)) {
      units[group.keys].*side = group.units;
    }
  };
  read(one, &std::pair<uint64_t, uint64_t>::first);
  read(other, &std::pair<uint64_t, uint64_t>::second);
  MovedUnits moved;
  for (const auto& [keys, both] : units) {
    const auto [a, b] = both;
    if (a == b) continue;
    ++moved.groups;
    moved.most = std::max(moved.most, a < b ? b - a : a - b);
  }
  return moved;
}

Groups ExactGroups(engine::Engine& engine, const plan::Release& release) {
  const Result<engine::ExactRelease> exact = RunExactly(engine, release);
  Groups groups;
  if (!exact.ok()) return groups;
  if (const auto* table = std::get_if<engine::ExactTable>(&*exact)) {
    for (const engine::ExactRow& row : table->rows) {
      for (const auto& measure : row.measures) groups[row.keys].push_back(Peek(measure));
    }
  } else {
    for (const engine::ExactGroup& group : Peek(std::get<engine::PrivateTable>(*exact).groups)) {
      groups[group.keys] = group.measures;
    }
  }
  return groups;
}

std::vector<Rational> MeasuredSensitivities(const plan::Release& release, const Groups& a,
                                            const Groups& b) {
  std::vector<Rational> totals(release.measures.size());
  const auto add = [&](const std::vector<engine::ExactNumber>& x,
                       const std::vector<engine::ExactNumber>* y) {
    for (size_t i = 0; i < x.size(); ++i) {
      // Cells are counts of rows, and so is the sensitivity of what is chosen by them.
      const Rational unit =
          plan::ReadsCells(release.measures[i].mechanism) ? Rational(1) : release.measures[i].step;
      totals[i] += Distance(x[i], y != nullptr ? (*y)[i] : Nothing(x[i])) * unit;
    }
  };
  for (const auto& [key, measures] : a) {
    const auto other = b.find(key);
    add(measures, other == b.end() ? nullptr : &other->second);
  }
  for (const auto& [key, measures] : b) {
    if (!a.contains(key)) add(measures, nullptr);
  }
  return totals;
}

std::vector<Rational> MeasuredSquares(const plan::Release& release, const Groups& a,
                                      const Groups& b) {
  std::vector<Rational> totals(release.measures.size());
  const auto add = [&](const std::vector<engine::ExactNumber>& x,
                       const std::vector<engine::ExactNumber>* y) {
    for (size_t i = 0; i < x.size(); ++i) {
      const Integer moved = Distance(x[i], y != nullptr ? (*y)[i] : Nothing(x[i]));
      totals[i] += Rational(moved * moved);
    }
  };
  for (const auto& [key, measures] : a) {
    const auto other = b.find(key);
    add(measures, other == b.end() ? nullptr : &other->second);
  }
  for (const auto& [key, measures] : b) {
    if (!a.contains(key)) add(measures, nullptr);
  }
  return totals;
}

}  // namespace tacit::neighbours
