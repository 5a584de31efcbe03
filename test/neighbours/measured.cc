#include "measured.h"

#include <functional>
#include <map>

#include "base/testing/tape_entropy.h"
#include "noise/cube/cube_noise.h"
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

Key Written(const std::vector<engine::Value>& values) {
  Key key;
  for (const engine::Value& value : values) {
    if (engine::IsNull(value)) {
      key.emplace_back();
    } else {
      key.emplace_back(engine::ToText(value));
    }
  }
  return key;
}

// Rows that one has and the other has not, over all cells.
Integer Distance(const noise::FullCells& a, const noise::FullCells& b) {
  std::map<uint64_t, Integer> rows;
  for (size_t i = 0; i < a.size(); ++i)
    rows[a.CellAt(i)] += static_cast<unsigned long>(a.RowsAt(i));
  for (size_t i = 0; i < b.size(); ++i)
    rows[b.CellAt(i)] -= static_cast<unsigned long>(b.RowsAt(i));
  Integer total = 0;
  for (const auto& [cell, difference] : rows) total += abs(difference);
  return total;
}

Integer Distance(const engine::ExactNumber& a, const engine::ExactNumber& b) {
  if (const auto* whole = std::get_if<Int128>(&a)) {
    return abs(ToInteger(*whole) - ToInteger(std::get<Int128>(b)));
  }
  if (const auto* cells = std::get_if<noise::FullCells>(&a)) {
    return Distance(*cells, std::get<noise::FullCells>(b));
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

engine::ExactNumber Nothing(const engine::ExactNumber& like) {
  if (std::holds_alternative<Int128>(like)) return Int128{0};
  if (std::holds_alternative<noise::FullCells>(like)) return noise::FullCells();
  return std::vector<uint64_t>();
}

using Pair = std::function<void(const Key&, const Group*, const Group*)>;
// Every key of either side once.
void ForEachPair(const SeenGroups& a, const SeenGroups& b, const Pair& visit) {
  for (const auto& [key, group] : a.groups) {
    const auto other = b.groups.find(key);
    visit(key, &group, other == b.groups.end() ? nullptr : &other->second);
  }
  for (const auto& [key, group] : b.groups) {
    if (!a.groups.contains(key)) visit(key, nullptr, &group);
  }
}

Integer Moved(const Group* x, const Group* y, size_t measure) {
  const engine::ExactNumber& one = x != nullptr ? x->measures[measure] : y->measures[measure];
  return Distance(one, x != nullptr && y != nullptr ? y->measures[measure] : Nothing(one));
}

}  // namespace

bool StandsAlone(const plan::Release& release) {
  for (const plan::Parameter& parameter : release.parameters) {
    if (std::holds_alternative<plan::ReleasedConstant>(parameter)) return false;
  }
  return true;
}

SeenGroups Seen(const engine::ExactRelease& exact) {
  SeenGroups seen;
  const engine::ExactGroups groups = Peek(exact);
  for (size_t i = 0; i < groups.size(); ++i) {
    const engine::ExactGroup group = groups.At(i);
    seen.order.push_back(Written(group.keys));
    seen.groups[seen.order.back()] = {group.units, group.measures};
  }
  return seen;
}

Result<SeenGroups> RunExactly(engine::Engine& engine, const plan::Release& release) {
  const std::vector<engine::Value> parameters(release.parameters.size(),
                                              engine::Value(kDeploymentKey));
  TACIT_TRY(const engine::ExactRelease exact, engine.Run(release, parameters));
  return Seen(exact);
}

std::vector<Rational> MeasuredSensitivities(const plan::Release& release, const SeenGroups& a,
                                            const SeenGroups& b) {
  std::vector<Rational> totals(release.measures.size());
  ForEachPair(a, b, [&](const Key&, const Group* x, const Group* y) {
    for (size_t i = 0; i < totals.size(); ++i) {
      // Cells are counts of rows, and so is the sensitivity of what is chosen by them.
      const Rational unit =
          release.measures[i].mechanism->ReadsCells() ? Rational(1) : release.measures[i].step;
      totals[i] += Moved(x, y, i) * unit;
    }
  });
  return totals;
}

std::vector<Rational> MeasuredSquares(const plan::Release& release, const SeenGroups& a,
                                      const SeenGroups& b) {
  std::vector<Rational> totals(release.measures.size());
  ForEachPair(a, b, [&](const Key&, const Group* x, const Group* y) {
    for (size_t i = 0; i < totals.size(); ++i) {
      const Integer moved = Moved(x, y, i);
      totals[i] += Rational(moved * moved);
    }
  });
  return totals;
}

namespace {

std::string Text(const Key& key) {
  std::string text;
  for (const auto& part : key) text += (text.empty() ? "" : ", ") + part.value_or("NULL");
  return "(" + text + ")";
}

using Said = std::vector<std::string>;

void CheckChange(const plan::Release& release, const SeenGroups& a, const SeenGroups& b,
                 Said& said) {
  const std::vector<Rational> measured = MeasuredSensitivities(release, a, b);
  const std::vector<Rational> squares = MeasuredSquares(release, a, b);
  for (size_t i = 0; i < measured.size(); ++i) {
    const plan::Measure& measure = release.measures[i];
    if (measured[i] > measure.sensitivity_l1) {
      said.push_back(measure.text + " moved by " + ToString(measured[i]) + ", declared " +
                     ToString(measure.sensitivity_l1));
    }
    // A Gaussian pays for L2: sigma^2 = L2^2 / (2 rho).
    const accounting::Event event = measure.mechanism->event();
    const auto* gaussian = std::get_if<accounting::DiscreteGaussianEvent>(&event);
    if (gaussian == nullptr) continue;
    const Rational declared = Rational(gaussian->sigma_squared * 2 * measure.cost.rho);
    if (squares[i] > declared) {
      said.push_back(measure.text + " moved by the square root of " + ToString(squares[i]) +
                     " steps, declared that of " + ToString(declared));
    }
  }
}

// Of measures that are drawn together: a group's change in rows is that of the measure that moved
// by the most of them, and all groups' together are what the noise was made for.
void CheckCubes(const plan::Release& release, const SeenGroups& a, const SeenGroups& b,
                Said& said) {
  std::map<const noise::CubeNoise*, Integer> moved;
  ForEachPair(a, b, [&](const Key&, const Group* x, const Group* y) {
    std::map<const noise::CubeNoise*, Integer> most;
    for (size_t i = 0; i < release.measures.size(); ++i) {
      const noise::ColumnMechanism& mechanism = *release.measures[i].mechanism;
      const noise::CubeNoise* cube = mechanism.cube();
      if (cube == nullptr) continue;
      const Rational rows = Fraction(Moved(x, y, i), cube->width(mechanism.coordinate()));
      most[cube] = std::max(most[cube], CeilOf(rows));
    }
    for (const auto& [cube, rows] : most) moved[cube] += rows;
  });
  for (const auto& [cube, rows] : moved) {
    const Rational declared = Rational(cube->scale() * cube->epsilon().value);
    if (Rational(rows) > declared) {
      said.push_back("measures that are drawn together moved by " + rows.get_str() +
                     " rows, declared " + ToString(declared));
    }
  }
}

// A group's number of people, where the selection of groups looks at it.
Integer PeopleIn(const plan::Release& release, const Group* group) {
  if (group == nullptr) return 0;
  if (const auto* noisy = std::get_if<plan::NoisyThreshold>(&release.selection)) {
    return ToInteger(std::get<Int128>(group->measures[noisy->measure]));
  }
  return Integer(static_cast<unsigned long>(group->units));
}

// Groups that appear or grow: by the people moved at most, and not more groups than the threshold's
// delta was divided among.
void CheckSelection(const plan::Release& release, uint64_t people, const SeenGroups& a,
                    const SeenGroups& b, Said& said) {
  uint64_t changed = 0;
  ForEachPair(a, b, [&](const Key& key, const Group* x, const Group* y) {
    const Integer moved = abs(PeopleIn(release, x) - PeopleIn(release, y));
    changed += moved != 0 ? 1 : 0;
    if (moved > people) {
      said.push_back("the people of the private group " + Text(key) + " moved by " +
                     moved.get_str() + ", and the step moves " + std::to_string(people));
    }
    if ((x == nullptr || y == nullptr) && moved == 0) {
      said.push_back("the private group " + Text(key) + " appears without a person");
    }
  });
  const auto* units = std::get_if<plan::UnitsChoice>(&release.selection);
  if (units == nullptr || changed < 2) return;
  // One person alone is shown with delta over the groups that a person can be in.
  const Integer chances = ToInteger(units->mechanism.ChanceShown(1).scaled) *
                          Integer(static_cast<unsigned long>(changed));
  if (Rational(chances) > units->cost.delta * Rational(Integer(Integer(1) << 128))) {
    said.push_back("people of " + std::to_string(changed) +
                   " private groups moved, more than delta is divided among");
  }
}

// What both sides show stands in one order: rows must not change places because of one person.
bool SameOrder(const SeenGroups& a, const SeenGroups& b) {
  std::vector<Key> left;
  std::vector<Key> right;
  for (const Key& key : a.order) {
    if (b.groups.contains(key)) left.push_back(key);
  }
  for (const Key& key : b.order) {
    if (a.groups.contains(key)) right.push_back(key);
  }
  return left == right;
}

}  // namespace

std::vector<std::string> Violations(const plan::Release& release, uint64_t people,
                                    const SeenGroups& a, const SeenGroups& b) {
  Said said;
  if (!SameOrder(a, b)) said.push_back("the groups stand in another order");
  if (!std::holds_alternative<plan::AllGroups>(release.selection)) {
    CheckSelection(release, people, a, b, said);
  } else if (a.groups.size() != b.groups.size() || a.order.size() != b.order.size() ||
             a.order != b.order) {
    said.push_back("public keys differ");
  }
  for (const SeenGroups* side : {&a, &b}) {
    if (side->order.size() != side->groups.size()) said.push_back("two groups have one key");
  }
  CheckChange(release, a, b, said);
  CheckCubes(release, a, b, said);
  return said;
}

}  // namespace tacit::neighbours
