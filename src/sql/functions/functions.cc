#include <array>
#include <charconv>
#include <map>

#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

const std::map<std::string_view, Function>& Table() {
  static const std::map<std::string_view, Function> table = [] {
    std::map<std::string_view, Function> all;
    for (const auto& family :
         {ArithmeticFunctions(), ComparisonFunctions(), ConditionalFunctions(), MathFunctions(),
          TextFunctions(), DateFunctions(), RegexFunctions()}) {
      for (const Function& function : family) {
        const bool added = all.emplace(function.name, function).second;
        TACIT_ASSERT(added);
      }
    }
    return all;
  }();
  return table;
}

struct Refusal {
  std::string_view names;  // separated by spaces, with one at each end
  std::string_view hint;
};
constexpr std::array<Refusal, 8> kRefusals = {{
    {" random setseed gen_random_uuid uuid_generate_v4 ",
     "an answer must not depend on chance outside the noise that is paid for"},
    {" clock_timestamp timeofday ",
     "an answer must not depend on how long it takes to compute. Write now(): the moment of the "
     "question, rounded"},
    {" pg_sleep pg_sleep_for pg_sleep_until nextval currval setval lastval txid_current "
     "pg_read_file lo_import set_config current_setting version inet_client_addr ",
     "it acts on the server or depends on the session"},
    {" repeat lpad rpad ", "its output could be of any length"},
    {" regexp_match regexp_matches regexp_split_to_array regexp_split_to_table ",
     "it gives a list. regexp_substr(x, 'pattern') and (regexp_match(x, 'pattern'))[1] give one "
     "text"},
    {" approx_count_distinct approx_distinct ", "count with DISTINCT has a rule"},
    {" approx_percentile approx_quantile percentile_approx quantile quantile_cont quantile_disc ",
     "percentile_cont has a rule"},
    {" to_date to_timestamp to_number ",
     "its text must be a literal that fits the pattern; of a column write CAST(x AS date)"},
}};

}  // namespace

const Function* FindFunction(std::string_view name) {
  const auto found = Table().find(name);
  return found == Table().end() ? nullptr : &found->second;
}

std::vector<const Function*> AllFunctions() {
  std::vector<const Function*> all;
  for (const auto& [name, function] : Table()) all.push_back(&function);
  return all;
}

Error UnknownFunction(const std::string& name, Position position) {
  Error error{.code = ErrorCode::kUnsupported,
              .public_message = "the function " + name + " is not supported",
              .hint = "",
              .position = std::nullopt,
              .private_detail = ""};
  if (position.offset >= 0) error.position = position.offset;
  for (const Refusal& refusal : kRefusals) {
    if (refusal.names.find(" " + name + " ") != std::string_view::npos) error.hint = refusal.hint;
  }
  return error;
}

std::optional<int64_t> IntegerLiteral(const Argument& argument) {
  if (argument.literal == nullptr || argument.literal->kind != LiteralKind::kInteger) {
    return std::nullopt;
  }
  const std::string& text = argument.literal->text;
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace tacit::sql
