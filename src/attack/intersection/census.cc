#include "attack/intersection/census.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "attack/dice.h"

namespace tacit::attack {
namespace {

// Draws from weights.
class Wheel {
 public:
  explicit Wheel(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) ends_.push_back(sum += weight);
  }
  uint32_t Turn(Dice& dice) const {
    const double at = dice.Fraction() * ends_.back();
    return static_cast<uint32_t>(std::upper_bound(ends_.begin(), ends_.end() - 1, at) -
                                 ends_.begin());
  }

 private:
  std::vector<double> ends_;
};

Wheel Zipf(size_t values, double power) {
  std::vector<double> weights;
  for (size_t i = 1; i <= values; ++i) {
    weights.push_back(std::pow(static_cast<double>(i), -power));
  }
  return Wheel(weights);
}

// 17 to 90: flat to 60, then falling in a straight line to a tenth.
Wheel Ages() {
  std::vector<double> weights;
  for (int age = 17; age <= 90; ++age)
    weights.push_back(age <= 60 ? 1.0 : 1 - 0.9 * (age - 60) / 30);
  return Wheel(weights);
}

constexpr const char* kMarital[] = {"never", "married", "divorced", "separated", "widowed"};
uint32_t Marital(uint32_t age, Dice& dice) {
  static const Wheel kYoung({85, 12, 2, 1, 0}), kGrown({30, 53, 13, 3, 1}),
      kOlder({8, 63, 18, 3, 8}), kOld({5, 52, 11, 1, 31});
  return (age < 25 ? kYoung : age < 40 ? kGrown : age < 65 ? kOlder : kOld).Turn(dice);
}

// 16 levels; the young have not finished, the old had less of it.
uint32_t Education(uint32_t age, Dice& dice) {
  static const Wheel kYoung({0, 0, 1, 1, 2, 5, 8, 8, 30, 32, 3, 3, 6, 1, 0, 0}),
      kGrown({0, 1, 1, 1, 2, 2, 3, 1, 28, 22, 5, 4, 19, 8, 2, 1}),
      kOld({1, 2, 3, 4, 4, 5, 4, 2, 35, 16, 3, 2, 11, 5, 2, 1});
  return (age < 23 ? kYoung : age < 60 ? kGrown : kOld).Turn(dice);
}

struct Person {
  uint32_t age, sex, marital, race, birthplace, education, occupation;
  int income;
};

// Three lists of 250 occupations in a different order, by education: each is a Zipf law with power
// 0.8. One in five takes any occupation at all.
uint32_t Occupation(const Person& person, Dice& dice) {
  static const Wheel kZipf = Zipf(250, 0.8);
  const uint32_t rank = kZipf.Turn(dice);
  if (dice.Chance(0.2)) return static_cast<uint32_t>(dice.Below(250));
  const uint32_t band = person.education < 9 ? 0 : person.education < 12 ? 1 : 2;
  // 89 and 250 have no common divisor, so this is another order of the same list.
  return (rank * 89 + band * 83 + person.sex * 31) % 250;
}

// Log-normal with a spread of 0.7 around 14,000 x 1.1^education, highest at 50; one in six has
// none.
int Income(const Person& person, Dice& dice) {
  if (dice.Chance(1.0 / 6)) return 0;
  const double from_peak = (static_cast<double>(person.age) - 50) / 40;
  const double middle =
      14'000 * std::pow(1.1, person.education) * (1 - 0.5 * from_peak * from_peak);
  const double income = middle * std::exp(0.7 * dice.Normal());
  return 100 * static_cast<int>(std::lround(std::min(income, 400'000.0) / 100));
}

Person Draw(Dice& dice) {
  static const Wheel kAges = Ages(), kRaces({72, 12, 6, 1, 1, 5, 3}), kPlaces = Zipf(110, 1.1);
  Person person{};
  person.age = 17 + kAges.Turn(dice);
  person.sex = static_cast<uint32_t>(dice.Below(2));
  person.marital = Marital(person.age, dice);
  person.race = kRaces.Turn(dice);
  person.birthplace = kPlaces.Turn(dice);
  person.education = Education(person.age, dice);
  person.occupation = Occupation(person, dice);
  person.income = Income(person, dice);
  return person;
}

// Codes cells as they come, as the reader of a file does.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(std::string name) : column_{std::move(name), {}, {}} {}
  void Add(const std::string& cell) {
    const auto [found, fresh] =
        code_of_.emplace(cell, static_cast<uint32_t>(column_.values.size()));
    if (fresh) column_.values.push_back(cell);
    column_.codes.push_back(found->second);
  }
  anonymize::CodedColumn Take() { return std::move(column_); }

 private:
  anonymize::CodedColumn column_;
  std::map<std::string, uint32_t> code_of_;
};

}  // namespace

anonymize::Table CensusLike(uint32_t people, uint64_t seed) {
  Dice dice(seed);
  std::vector<ColumnBuilder> columns;
  for (const char* name :
       {"age", "sex", "marital", "race", "birthplace", "education", "occupation", "income"}) {
    columns.emplace_back(name);
  }
  for (uint32_t i = 0; i < people; ++i) {
    const Person person = Draw(dice);
    columns[0].Add(std::to_string(person.age));
    columns[1].Add(person.sex == 0 ? "female" : "male");
    columns[2].Add(kMarital[person.marital]);
    columns[3].Add("race" + std::to_string(person.race));
    columns[4].Add("place" + std::to_string(person.birthplace));
    columns[5].Add(std::to_string(person.education));
    columns[6].Add("occupation" + std::to_string(person.occupation));
    columns[7].Add(std::to_string(person.income));
  }
  anonymize::Table table;
  table.name = "census-like table, seed " + std::to_string(seed);
  table.rows = people;
  for (ColumnBuilder& column : columns) table.columns.push_back(column.Take());
  return table;
}

}  // namespace tacit::attack
