#include "policy/policy.h"

#include <algorithm>

#include "policy/schema.h"

namespace tacit::policy {
namespace {

// The largest power of ten that is at most `value`, which is positive.
Rational PowerOfTenAtMost(const Rational& value) {
  // A number with n digits before the point (or n zeros after it) is within one power of 10^n.
  const auto digits = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 10));
  };
  long exponent = digits(value.get_num()) - digits(value.get_den()) + 1;
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
  Rational candidate = exponent >= 0 ? Rational(power) : Rational(1 / Rational(power));
  while (candidate > value) candidate /= 10;
  return candidate;
}

}  // namespace

Rational DefaultStep(const Bounds& bounds, bool whole) {
  if (whole) return 1;
  Rational range = bounds.high - bounds.low;
  if (range == 0) range = abs(bounds.high);
  if (range == 0) return 1;
  return PowerOfTenAtMost(Rational(range / 1'000'000));
}

Result<Grid> MakeGrid(const Bounds& bounds, const Rational& step) {
  const Integer low = FloorOf(Rational(bounds.low / step));
  const Integer high = CeilOf(Rational(bounds.high / step));
  Integer most;
  mpz_ui_pow_ui(most.get_mpz_t(), 2, 62);
  if (abs(low) > most || abs(high) > most) {
    return InvalidArgument("the range " + ToString(bounds.low) + " to " + ToString(bounds.high) +
                               " has too many steps of " + ToString(step),
                           "narrow the bounds, or take a larger step");
  }
  return Grid{
      .step = step, .low_steps = SaturateToInt128(low), .high_steps = SaturateToInt128(high)};
}

Result<Grid> GridOf(const Column& column, const ValueType& type) {
  TACIT_ASSERT(column.bounds.has_value());
  const Rational step = column.step ? *column.step : DefaultStep(*column.bounds, type.IsWhole());
  return MakeGrid(*column.bounds, step);
}

const Column* Table::Find(std::string_view column) const {
  for (const Column& candidate : columns) {
    if (SameName(candidate.name, column)) return &candidate;
  }
  return nullptr;
}

bool Table::IsHidden(std::string_view column) const {
  const Column* found = Find(column);
  return found != nullptr && found->hidden;
}

bool ServerSettings::IsProxy(const std::string& address) const {
  return std::any_of(proxies.begin(), proxies.end(),
                     [&](const AddressRange& range) { return range.Contains(address); });
}

const Table* Policy::Find(std::string_view table) const {
  for (const Table& candidate : tables) {
    if (SameName(candidate.name, table)) return &candidate;
  }
  return nullptr;
}

const Analyst* Policy::FindAnalyst(std::string_view name) const {
  for (const Analyst& analyst : analysts) {
    if (analyst.name == name) return &analyst;
  }
  return nullptr;
}

const std::string& UnitPath::ReadAt(size_t hop) const {
  return hop + 1 < hops.size() ? hops[hop + 1].via : root_column;
}

bool UnitPath::NeedsUniqueKey(size_t hop) const {
  return !SameName(hops[hop].to_column, ReadAt(hop));
}

UnitPath Policy::PathOf(const Table& table) const {
  TACIT_ASSERT(!table.is_public);
  UnitPath path;
  const Table* at = &table;
  while (const auto* reached = std::get_if<UnitIsReached>(&at->unit)) {
    path.hops.push_back(UnitHop{.from_table = at->name,
                                .via = reached->via,
                                .to_table = reached->to_table,
                                .to_column = reached->to_column});
    at = Find(reached->to_table);
    // The loader refused unknown tables and circles.
    TACIT_ASSERT(at != nullptr && path.hops.size() <= tables.size());
  }
  path.root_table = at->name;
  if (const auto* column = std::get_if<UnitIsColumn>(&at->unit)) path.root_column = column->column;
  return path;
}

std::string Policy::KeyPath() const { return folder + "/tacit.key"; }

std::string At(const Policy& policy, const Place& place) {
  return policy.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

}  // namespace tacit::policy
