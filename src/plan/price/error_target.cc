#include "plan/price/error_target.h"

#include <algorithm>

#include "base/ascii.h"
#include "plan/above/finish.h"
#include "plan/above/margins.h"

namespace tacit::plan {
namespace {

// Why 64 halvings: from any epsilon_max down to noise of 2^64 times as much.
constexpr int kHalvings = 64;
constexpr int kBisections = 10;  // to a thousandth of the price

// A released column that has to stay within an error, which its noise alone decides.
struct Bought {
  size_t block = 0;
  size_t released = 0;
  Rational error;
  std::string column;  // for people
};

class Buying {
 public:
  Buying(const std::vector<Draft>& drafts, const policy::Privacy& privacy, std::string wished)
      : drafts_(drafts), privacy_(privacy), wished_(std::move(wished)) {}

  std::vector<Bought> bought;

  // The smallest price that buys all of it.
  Result<Price> Smallest(Price price) const {
    const Rational& most = privacy_.query.epsilon_max.value;
    price.epsilon = Epsilon(most);
    // What fails at the highest price for another reason than the error says so itself.
    TACIT_CHECK(PriceDrafts(drafts_, privacy_, price));
    if (!Suffices(price)) return CannotBeBought(price);
    Rational enough = most;
    Rational too_little = 0;
    for (int i = 0; i < kHalvings && too_little == 0; ++i) {
      price.epsilon = Epsilon(Rational(enough / 2));
      (Suffices(price) ? enough : too_little) = price.epsilon.value;
    }
    for (int i = 0; i < kBisections; ++i) {
      price.epsilon = Epsilon(Rational((enough + too_little) / 2));
      (Suffices(price) ? enough : too_little) = price.epsilon.value;
    }
    // An error that costs next to nothing is had for the least that a query costs.
    price.epsilon = Epsilon(std::max(RoundedUp(enough, most), LeastPrice(privacy_).value));
    // Where another noise is taken from some price on, a little more may buy a little less.
    if (!Suffices(price)) price.epsilon = Epsilon(std::max(enough, LeastPrice(privacy_).value));
    return price;
  }

 private:
  // How far each is off at the price; nothing where the price buys no answer.
  std::optional<std::vector<Rational>> ErrorsAt(const Price& price) const {
    const Result<std::vector<PricedBlock>> priced = PriceDrafts(drafts_, privacy_, price);
    if (!priced.ok()) return std::nullopt;
    std::vector<Rational> errors;
    for (const Bought& one : bought) {
      const Draft& draft = drafts_[one.block];
      const analysis::ReleasedColumn& column = draft.block.released[one.released];
      Rational error = ErrorOf(column, draft.block, (*priced)[one.block].measures).moe95;
      if (draft.summed > 1 && analysis::AddsUp(draft.block, column)) {
        error *= SquareRootUp(Rational(draft.summed));
      }
      errors.push_back(std::move(error));
    }
    return errors;
  }

  bool Suffices(const Price& price) const {
    const std::optional<std::vector<Rational>> errors = ErrorsAt(price);
    if (!errors) return false;
    for (size_t i = 0; i < bought.size(); ++i) {
      if (bought[i].error < (*errors)[i]) return false;
    }
    return true;
  }

  // A price that people can read: four digits, rounded up, but never above `most`.
  static Rational RoundedUp(const Rational& epsilon, const Rational& most) {
    Rational scale = 1;
    while (epsilon * scale < 1000) scale *= 10;
    const Rational rounded = Rational(CeilOf(Rational(epsilon * scale))) / scale;
    return rounded < most ? rounded : most;
  }

  // For people: three digits, rounded up.
  static std::string Shown(const Rational& value) {
    Rational scale = 1;
    while (value > 0 && value * scale < 100) scale *= 10;
    return ToString(Rational(Rational(CeilOf(Rational(value * scale))) / scale));
  }

  std::optional<Rational> Needed(Price price) const {
    const Rational most = price.epsilon.value;
    std::optional<Rational> needed;
    for (int i = 0; i < kHalvings && !needed; ++i) {
      price.epsilon = Epsilon(Rational(price.epsilon.value * 2));
      if (Suffices(price)) needed = price.epsilon.value;
    }
    for (int i = 0; i < kBisections && needed; ++i) {
      const Rational middle = Rational((*needed + std::max(most, Rational(*needed / 2))) / 2);
      price.epsilon = Epsilon(middle);
      if (Suffices(price)) needed = middle;
    }
    return needed;
  }

  // "an error of 55", "errors of 55 (n) and 3 (total)"
  std::string BestAt(const Price& price) const {
    const std::optional<std::vector<Rational>> errors = ErrorsAt(price);
    if (!errors) return "";
    std::string list;
    for (size_t i = 0; i < bought.size(); ++i) {
      std::string one = Shown((*errors)[i]);
      if (bought.size() > 1) one += " (" + bought[i].column + ")";
      list += (list.empty() ? "" : ", ") + one;
    }
    return "the best that epsilon " + ToString(price.epsilon.value) + " buys is an error of " +
           list + "; ";
  }

  // What it would take, were the owner to allow it, and what is to be had instead.
  Error CannotBeBought(const Price& price) const {
    const Rational& most = price.epsilon.value;
    const std::optional<Rational> needed = Needed(price);
    Error refusal{.code = ErrorCode::kRefused,
                  .public_message = "an error of " + wished_ +
                                    " costs more than a query may, epsilon " + ToString(most) +
                                    (needed ? ": about " + Shown(*needed) : ""),
                  .hint = BestAt(price) + "ask for fewer aggregates at once, or coarser groups",
                  .position = std::nullopt,
                  .private_detail = ""};
    refusal.rule = "price_above_limit";
    return refusal;
  }

  const std::vector<Draft>& drafts_;
  const policy::Privacy& privacy_;
  const std::string wished_;
};

Error NoSuchError(const std::string& message, const std::string& hint) {
  Error error = InvalidArgument(message, hint);
  error.rule = "invalid_parameter_value";
  return error;
}

bool IsNamed(const ErrorWish& wish, const std::string& column) {
  return std::any_of(wish.named.begin(), wish.named.end(), [&](const auto& named) {
    return InSmallLetters(named.first) == InSmallLetters(column);
  });
}

Result<Done> CheckNames(const analysis::Facts& facts, const ErrorWish& wish) {
  std::string noisy;
  for (const analysis::PostColumn& column : facts.columns) {
    if (column.noisy || column.chosen) noisy += (noisy.empty() ? "" : ", ") + column.name;
  }
  for (const auto& [name, target] : wish.named) {
    const bool known = std::any_of(facts.columns.begin(), facts.columns.end(),
                                   [&, &name = name](const auto& column) {
                                     return InSmallLetters(column.name) == InSmallLetters(name) &&
                                            (column.noisy || column.chosen);
                                   });
    if (known) continue;
    return NoSuchError("the answer has no noisy column " + name,
                       noisy.empty() ? "leave the error out: the answer has no noise"
                                     : "its noisy columns are " + noisy);
  }
  return Done{};
}

}  // namespace

Result<ErrorPrice> PriceForError(const analysis::Facts& facts, const std::vector<Draft>& drafts,
                                 const policy::Privacy& privacy, const Price& asked,
                                 const ErrorWish& wish) {
  TACIT_CHECK(CheckNames(facts, wish));
  ErrorPrice result{.price = asked, .after = {}};
  result.after.resize(facts.columns.size());
  if (SharesOf(drafts) == 0) return result;
  const std::vector<size_t> with_margins = ColumnsWithMargins(facts);
  Buying buying(drafts, privacy, ErrorText(wish));
  bool any_after = false;
  for (size_t i = 0; i < facts.columns.size(); ++i) {
    const analysis::PostColumn& column = facts.columns[i];
    const ErrorTarget* target = wish.Of(column.name);
    if (target == nullptr || (!column.noisy && !column.chosen)) continue;
    const bool exact = HasExactError(column, facts);
    const bool computed =
        std::find(with_margins.begin(), with_margins.end(), i) != with_margins.end();
    if (computed || (exact && target->relative)) {
      result.after[i] = *target;
      any_after = true;
    } else if (column.shows && !target->relative) {
      buying.bought.push_back(
          {column.shows->first, column.shows->second, target->error, column.name});
    } else if (IsNamed(wish, column.name)) {
      return NoSuchError(
          "nobody could tell whether " + column.name + " is within " + ErrorText(*target),
          column.shows ? "its error is in ranks: name it as a number, " + column.name + " = 40"
                       : "name a price instead, or the error of another column");
    }
  }
  if (!any_after && buying.bought.empty()) {
    if (!wish.others) return result;
    if (wish.others->relative) {
      return NoSuchError(
          "the answer has no number of which " + ErrorText(*wish.others) + " could be told",
          "name a price instead, or the error as a number");
    }
    // Nothing is shown as it was released: then everything that is released stays within it.
    for (size_t i = 0; i < drafts.size(); ++i) {
      for (size_t k = 0; k < drafts[i].block.released.size(); ++k) {
        buying.bought.push_back({i, k, wish.others->error, drafts[i].block.released[k].text});
      }
    }
  }
  if (!buying.bought.empty()) {
    TACIT_TRY(result.price, buying.Smallest(asked));
    return result;
  }
  if (any_after) {
    const Rational first = Rational(privacy.query.epsilon.value / 10);
    result.price.epsilon = Epsilon(
        std::min(std::max(first, LeastPrice(privacy).value), privacy.query.epsilon_max.value));
  }
  return result;
}

}  // namespace tacit::plan
