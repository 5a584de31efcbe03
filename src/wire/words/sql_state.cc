#include "wire/words/sql_state.h"

#include <string_view>

namespace tacit::wire {
namespace {

struct StateName {
  std::string_view name;  // of PostgreSQL, or a rule of analysis
  const char* state;
};
constexpr StateName kConditions[] = {
    {"ambiguous_column", "42702"},
    {"ambiguous_name", "42702"},
    {"ambiguous_parameter", "42P08"},
    {"cant_change_runtime_param", "55P02"},
    {"character_not_in_repertoire", "22021"},
    {"cursor_not_found", "34000"},
    {"datatype_mismatch", "42804"},
    {"division_by_zero", "22012"},
    {"duplicate_cursor", "42P03"},
    {"duplicate_prepared_statement", "42P05"},
    {"feature_not_supported", "0A000"},
    {"in_failed_sql_transaction", "25P02"},
    {"insufficient_privilege", "42501"},
    {"invalid_parameter_value", "22023"},
    {"invalid_password", "28P01"},
    {"invalid_authorization_specification", "28000"},
    {"invalid_sql_statement_name", "26000"},
    {"invalid_text_representation", "22P02"},
    {"learn_call", "42601"},
    {"misplaced_aggregate", "42803"},
    {"nested_aggregate", "42803"},
    {"no_active_sql_transaction", "25P01"},
    {"numeric_value_out_of_range", "22003"},
    {"object_not_in_prerequisite_state", "55000"},
    {"out_of_memory", "53200"},
    {"program_limit_exceeded", "54000"},
    {"protocol_violation", "08P01"},
    {"query_canceled", "57014"},
    {"read_only_sql_transaction", "25006"},
    {"savepoint_exception", "3B001"},
    {"syntax_error", "42601"},
    {"too_many_connections", "53300"},
    {"untranslatable_character", "22P05"},
    {"undefined_column", "42703"},
    {"undefined_function", "42883"},
    {"undefined_object", "42704"},
    {"undefined_parameter", "42P02"},
    {"undefined_table", "42P01"},
    {"ungrouped_column", "42803"},
    {"unknown_column", "42703"},
    {"unknown_table", "42P01"},
    {"wrong_shape", "42601"},
    {"wrong_type", "42804"},
};

}  // namespace

std::string StateOf(const Error& error) {
  // What kind of refusal it is comes first: a rule's name only tells wrong queries apart.
  switch (error.code) {
    case ErrorCode::kRefused:
      return "42501";
    case ErrorCode::kBudgetExhausted:
      return "53400";
    case ErrorCode::kUnsupported:
      return "0A000";
    default:
      break;
  }
  for (const StateName& condition : kConditions) {
    if (condition.name == error.rule) return condition.state;
  }
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      return "22023";
    case ErrorCode::kInvalidQuery:
      return error.rule.empty() ? "42601" : "42804";
    case ErrorCode::kUnavailable:
      return "58000";
    default:
      return "XX000";
  }
}

}  // namespace tacit::wire
