#include "sql/bind/session_zone.h"

#include <algorithm>
#include <set>

#include "sql/walk.h"

namespace tacit::sql {
namespace {

bool IsZoned(const Type& type) { return type.kind == TypeKind::kTimestampTz; }
bool IsUnzoned(const Type& type) {
  return type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp;
}

class InSessionZone {
 public:
  InSessionZone(const TypeOfOperand& type_of, const std::string& zone)
      : type_of_(type_of), zone_(zone) {}

  Expression Change(const Expression& node) const {
    if (const auto* call = As<Call>(node)) return OfCall(node, *call);
    if (const auto* cast = As<Cast>(node)) return OfCast(node, *cast);
    if (const auto* operation = As<Operator>(node)) return OfOperator(node, *operation);
    if (const auto* between = As<Between>(node)) {
      Between changed = *between;
      Beside({&changed.operand, &changed.low, &changed.high});
      return MakeExpression(std::move(changed), node->position);
    }
    return node;
  }

 private:
  bool Is(const Expression& operand, bool (*kind)(const Type&)) const {
    if (As<Literal>(operand)) return false;  // read by the zone on it
    const std::optional<Type> type = type_of_(operand);
    return type && kind(*type);
  }

  // What clocks show at an instant; at which instant they show a time.
  Expression AtZone(const Expression& time) const {
    const Expression zone =
        MakeExpression(Literal{LiteralKind::kString, zone_, {}}, time->position);
    return MakeExpression(Call{"timezone", {zone, time}}, time->position);
  }

  Expression OfCall(const Expression& node, const Call& call) const {
    Call changed = call;
    const auto shown = [&](size_t place) {
      Expression& argument = changed.arguments[place];
      if (Is(argument, IsZoned)) argument = AtZone(argument);
    };
    const size_t count = call.arguments.size();
    if (call.name == "date_trunc" && count == 2) {
      if (!Is(call.arguments[1], IsZoned)) return node;
      changed.arguments.push_back(
          MakeExpression(Literal{LiteralKind::kString, zone_, {}}, node->position));
    } else if ((call.name == "extract" || call.name == "date_part") && count == 2) {
      const auto* field = As<Literal>(call.arguments[0]);
      if (field != nullptr && field->text == "epoch") return node;
      shown(1);
    } else if ((call.name == "to_char" || call.name == "date") && count >= 1) {
      shown(0);
    } else if (call.name == "age" && count == 2) {
      shown(0);
      shown(1);
    } else {
      return node;
    }
    return MakeExpression(std::move(changed), node->position);
  }

  Expression OfCast(const Expression& node, const Cast& cast) const {
    if (IsUnzoned(cast.type) && Is(cast.operand, IsZoned)) {
      return MakeExpression(Cast{AtZone(cast.operand), cast.type}, node->position);
    }
    if (IsZoned(cast.type) && Is(cast.operand, IsUnzoned)) return InstantOf(cast.operand);
    return node;
  }

  Expression InstantOf(const Expression& time) const {
    return AtZone(MakeExpression(Cast{time, kTimestampType}, time->position));
  }

  // Times without a zone beside one that has it.
  void Beside(const std::vector<Expression*>& operands) const {
    const bool zoned = std::any_of(operands.begin(), operands.end(),
                                   [&](const Expression* one) { return Is(*one, IsZoned); });
    if (!zoned) return;
    for (Expression* one : operands) {
      if (Is(*one, IsUnzoned)) *one = InstantOf(*one);
    }
  }

  Expression OfOperator(const Expression& node, const Operator& operation) const {
    static const std::set<std::string> comparisons = {"=", "<>", "<", "<=", ">", ">="};
    if (operation.arguments.size() != 2) return node;
    Operator changed = operation;
    if (comparisons.contains(operation.symbol)) {
      Beside({&changed.arguments[0], &changed.arguments[1]});
      return MakeExpression(std::move(changed), node->position);
    }
    if (operation.symbol != "+" && operation.symbol != "-") return node;
    // A day later clocks show the same, whatever they did in between.
    const auto is_interval = [](const Type& type) { return type.kind == TypeKind::kInterval; };
    for (const size_t place : {size_t{0}, size_t{1}}) {
      const Expression& other = operation.arguments[1 - place];
      const auto* literal = As<Literal>(other);
      const bool interval =
          literal != nullptr ? literal->kind == LiteralKind::kInterval : Is(other, is_interval);
      if (!interval || !Is(operation.arguments[place], IsZoned)) continue;
      changed.arguments[place] = AtZone(operation.arguments[place]);
      return AtZone(MakeExpression(std::move(changed), node->position));
    }
    if (operation.symbol == "+") return node;
    Beside({&changed.arguments[0], &changed.arguments[1]});
    return MakeExpression(std::move(changed), node->position);
  }

  const TypeOfOperand& type_of_;
  const std::string& zone_;
};

// Where UTC's clocks are looked at; nothing where they are nowhere.
std::optional<Position> ByUtc(const Bound& bound);

std::optional<Position> FirstOf(const std::vector<Bound>& all) {
  for (const Bound& one : all) {
    if (const auto found = ByUtc(one)) return found;
  }
  return std::nullopt;
}

bool DependsOnClocks(const Type& from, const Type& to) {
  const auto other = [](const Type& type) {
    return IsUnzoned(type) || type.kind == TypeKind::kText;
  };
  return (IsZoned(from) && other(to)) || (other(from) && IsZoned(to));
}

std::optional<Position> OfApply(const BoundApply& apply, Position position) {
  const std::string_view name = apply.function->name;
  const auto stored_instant = [](const Bound& argument) {
    return IsZoned(argument->type) && As<Literal>(argument) == nullptr;
  };
  const bool has_interval =
      std::any_of(apply.arguments.begin(), apply.arguments.end(),
                  [](const Bound& one) { return one->type.kind == TypeKind::kInterval; });
  const bool cuts = name == "date_trunc" && apply.arguments.size() == 2;
  const bool moves = (name == "+" || name == "-") && has_interval;
  if ((cuts || moves) &&
      std::any_of(apply.arguments.begin(), apply.arguments.end(), stored_instant)) {
    return position;
  }
  const bool field = name == "extract" || name == "date_part";
  const auto* word = field ? As<Literal>(apply.arguments[0]) : nullptr;
  if (word != nullptr && word->text == "epoch") {
    const auto* cast = As<BoundCast>(apply.arguments[1]);
    return ByUtc(cast != nullptr ? cast->operand : apply.arguments[1]);
  }
  return FirstOf(apply.arguments);
}

std::optional<Position> ByUtc(const Bound& bound) {
  if (!bound) return std::nullopt;
  if (const auto* cast = As<BoundCast>(bound)) {
    const bool written = As<Literal>(cast->operand) != nullptr;
    if (!written && DependsOnClocks(cast->operand->type, bound->type)) return bound->position;
    return ByUtc(cast->operand);
  }
  if (const auto* apply = As<BoundApply>(bound)) return OfApply(*apply, bound->position);
  if (const auto* choice = As<BoundCase>(bound)) {
    std::vector<Bound> parts = {choice->otherwise};
    for (const BoundBranch& branch : choice->branches) {
      parts.push_back(branch.when);
      parts.push_back(branch.then);
    }
    return FirstOf(parts);
  }
  if (const auto* query = As<BoundQuery>(bound)) return ByUtc(query->operand);
  const auto* aggregate = As<BoundAggregate>(bound);
  if (aggregate == nullptr) return std::nullopt;
  std::vector<Bound> parts = aggregate->arguments;
  parts.push_back(aggregate->filter);
  for (const BoundOrder& order : aggregate->order_by) parts.push_back(order.expression);
  if (aggregate->window) {
    for (const Bound& key : aggregate->window->partition_by) parts.push_back(key);
    for (const BoundOrder& order : aggregate->window->order_by) parts.push_back(order.expression);
  }
  return FirstOf(parts);
}

}  // namespace

std::string ZoneName(const std::shared_ptr<const TimeZone>& zone) {
  static const std::set<std::string> utc = {"UTC", "Etc/UTC", "GMT", "Etc/GMT"};
  return zone == nullptr || utc.contains(zone->name()) ? "" : zone->name();
}

Expression ReadInZone(const Expression& expression, const TypeOfOperand& type_of,
                      const std::string& zone) {
  if (zone.empty()) return expression;
  const InSessionZone session(type_of, zone);
  return Transform(expression, [&](const Expression& node) { return session.Change(node); });
}

Result<Done> CheckZone(const Bound& bound, const std::string& zone) {
  const std::optional<Position> place = zone.empty() ? std::nullopt : ByUtc(bound);
  if (!place) return Done{};
  return Error{
      .code = ErrorCode::kUnsupported,
      .public_message =
          "a time with a zone would be read by UTC's clocks here, and the session's zone is " +
          zone,
      .hint = "say which zone is meant: x AT TIME ZONE '" + zone + "'",
      .position = place->offset >= 0 ? std::optional<int>(place->offset) : std::nullopt,
      .private_detail = ""};
}

}  // namespace tacit::sql
