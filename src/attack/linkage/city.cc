#include "attack/linkage/city.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "attack/dice.h"

namespace tacit::attack {
namespace {

constexpr const char* kFirstNames[] = {"Ada",  "Bo",  "Carl", "Dana", "Emil", "Fay", "Gus",
                                       "Hana", "Ivo", "Jo",   "Kim",  "Lea",  "Max", "Nora",
                                       "Otto", "Pia", "Rio",  "Sara", "Tom",  "Uma"};
constexpr const char* kIllnesses[] = {"asthma", "flu", "diabetes", "fracture", "depression",
                                      "cancer", "hiv", "migraine", "ulcer",    "none"};
constexpr int kDaysInMonth[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

class TableBuilder {
 public:
  TableBuilder(std::string name, const std::vector<std::string>& columns) {
    table_.name = std::move(name);
    for (const std::string& column : columns) table_.columns.push_back({column, {}, {}});
    codes_.resize(columns.size());
  }
  void Add(const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      anonymize::CodedColumn& column = table_.columns[i];
      const auto [found, fresh] =
          codes_[i].emplace(cells[i], static_cast<uint32_t>(column.values.size()));
      if (fresh) column.values.push_back(cells[i]);
      column.codes.push_back(found->second);
    }
    ++table_.rows;
  }
  anonymize::Table Take() { return std::move(table_); }

 private:
  anonymize::Table table_;
  std::vector<std::map<std::string, uint32_t>> codes_;
};

// Born on any day of 1935 to 2006, and never on 29 February.
std::string BirthDate(Dice& dice) {
  const int year = 1935 + static_cast<int>(dice.Below(72));
  int day = static_cast<int>(dice.Below(365)), month = 0;
  while (day >= kDaysInMonth[month]) day -= kDaysInMonth[month++];
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d", year, month + 1, day + 1);
  return text;
}

}  // namespace

City InventCity(const CityOptions& options) {
  Dice dice(options.seed);
  TableBuilder list("the town's register", {"person", "name", "birth_date", "sex", "zip"});
  TableBuilder release("the clinic's release", {"person", "birth_date", "sex", "zip", "illness"});
  for (uint32_t i = 0; i < options.people; ++i) {
    const std::string person = std::to_string(i);
    const std::string name = std::string(kFirstNames[dice.Below(std::size(kFirstNames))]) + " " +
                             std::to_string(1000 + dice.Below(9000));
    const std::string birth = BirthDate(dice);
    const std::string sex = dice.Below(2) == 0 ? "F" : "M";
    // Ten post codes; the first ones have the most people (two draws, the smaller one counts).
    const std::string zip = std::to_string(75001 + 11 * std::min(dice.Below(10), dice.Below(10)));
    const std::string illness = kIllnesses[dice.Below(std::size(kIllnesses))];
    const bool listed = dice.Chance(options.listed), treated = dice.Chance(options.treated);
    if (listed) list.Add({person, name, birth, sex, zip});
    if (treated) release.Add({person, birth, sex, zip, illness});
  }
  return {list.Take(), release.Take()};
}

}  // namespace tacit::attack
