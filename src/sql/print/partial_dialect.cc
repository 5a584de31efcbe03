#include "sql/print/partial_dialect.h"

#include "base/assert.h"
#include "sql/print/quote.h"

namespace tacit::sql {

std::string PartialDialect::Identifier(const std::string& name) const {
  std::string folded = name;
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return QuoteIdentifier(folded);
}

std::string PartialDialect::CanonicalKey(const std::string& key, const Type& type) const {
  if (type.kind == TypeKind::kInterval) return Missing("a key of intervals");
  return Read(key, type);
}

bool PartialDialect::Knows(const Function& function) const {
  return FindRendering(function.name) != nullptr;
}

std::string PartialDialect::Apply(const BoundApply& apply, const Type& result,
                                  const std::vector<std::string>& arguments) const {
  const Rendering rendering = FindRendering(apply.function->name);
  TACIT_ASSERT(rendering != nullptr);
  const Application a{.apply = apply, .result = result, .text = arguments};
  const auto text = Takes(a) ? rendering(a) : std::nullopt;
  if (text) return Applied(*text, result);
  std::string what(apply.function->name);
  for (size_t i = 0; i < apply.arguments.size(); ++i) {
    what += (i == 0 ? " of " : ", ") + PostgresName(apply.arguments[i]->type);
  }
  return Missing(what);
}

std::string PartialDialect::Cast(const std::string& operand, const Type& from,
                                 const Type& to) const {
  if (const auto text = CastTo(operand, from, to)) return *text;
  return Missing("a cast of " + PostgresName(from) + " to " + PostgresName(to));
}

std::string PartialDialect::Aggregate(const BoundAggregate& call, const Type& result,
                                      const std::vector<std::string>& arguments,
                                      const std::string& order_by, const std::string& tail) const {
  if (const auto text = AggregateOf(call, result, arguments, order_by, tail)) return *text;
  const std::string of =
      call.arguments.empty() ? "" : " of " + PostgresName(call.arguments[0]->type);
  return Missing(call.name + of + " inside one person");
}

std::string PartialDialect::Missing(const std::string& what) const {
  if (missing_.empty()) missing_ = what;
  return "NULL";
}

}  // namespace tacit::sql
