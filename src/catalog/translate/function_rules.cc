#include "catalog/translate/function_rules.h"

namespace tacit::catalog {
namespace {

constexpr char kNoText[] = "CAST(NULL AS VARCHAR)";
constexpr char kNoNumber[] = "CAST(NULL AS BIGINT)";
constexpr char kZero[] = "CAST(0 AS BIGINT)";
constexpr char kOne[] = "CAST(1 AS BIGINT)";
// What replaces a match is short, so that the result is at most so many times the text.
constexpr char kReplace[] =
    "tacit_within(replace(tacit_within(#1, 65536), #2, tacit_within(#3, 64)), 65536)";
constexpr char kReplaceMatch[] =
    "tacit_within(regexp_replace(tacit_within(#1, 65536), #2, tacit_within(#3, 64)), 65536)";
constexpr char kReplaceMatches[] =
    "tacit_within(regexp_replace(tacit_within(#1, 65536), #2, tacit_within(#3, 64), #4), 65536)";

constexpr FunctionRule kRules[] = {
    // texts
    {"lower", "t", oid::kText, "lower(#1)"},
    {"upper", "t", oid::kText, "upper(#1)"},
    {"length", "t", oid::kInt4, "length(#1)"},
    {"char_length", "t", oid::kInt4, "length(#1)"},
    {"octet_length", "t", oid::kInt4, "strlen(#1)"},
    {"substring", "tii", oid::kText, "substring(#1, #2, #3)"},
    {"substring", "ti", oid::kText, "substring(#1, #2)"},
    // substring(x FROM 'a(b*)'): the match, or what is in its parentheses; nothing where there is
    // none
    {kSubstringMatching, "tt", oid::kText,
     "CASE WHEN regexp_matches(#1, #2) THEN regexp_extract(#1, #2) END"},
    {kSubstringOfGroup, "tt", oid::kText,
     "CASE WHEN regexp_matches(#1, #2) THEN regexp_extract(#1, #2, 1) END"},
    {"substr", "tii", oid::kText, "substring(#1, #2, #3)"},
    {"substr", "ti", oid::kText, "substring(#1, #2)"},
    {"bpchar", "t", oid::kBpchar, "#1"},
    {"btrim", "t", oid::kText, "trim(#1)"},
    {"btrim", "tt", oid::kText, "trim(#1, #2)"},
    {"ltrim", "t", oid::kText, "ltrim(#1)"},
    {"ltrim", "tt", oid::kText, "ltrim(#1, #2)"},
    {"rtrim", "t", oid::kText, "rtrim(#1)"},
    {"rtrim", "tt", oid::kText, "rtrim(#1, #2)"},
    {"replace", "ttt", oid::kText, kReplace},
    {"translate", "ttt", oid::kText, "translate(#1, #2, #3)"},
    {"regexp_replace", "ttt", oid::kText, kReplaceMatch},
    {"regexp_replace", "tttt", oid::kText, kReplaceMatches},
    {"split_part", "tti", oid::kText, "split_part(#1, #2, #3)"},
    {"position", "tt", oid::kInt4, "CAST(strpos(#1, #2) AS INTEGER)"},
    {"strpos", "tt", oid::kInt4, "CAST(strpos(#1, #2) AS INTEGER)"},
    {"left", "ti", oid::kText, "left(#1, #2)"},
    {"right", "ti", oid::kText, "right(#1, #2)"},
    {"reverse", "t", oid::kText, "reverse(#1)"},
    {"starts_with", "tt", oid::kBool, "starts_with(#1, #2)"},
    {"ascii", "t", oid::kInt4, "ascii(#1)"},
    {"md5", "t", oid::kText, "md5(#1)"},
    {"quote_ident", "t", oid::kText, "tacit_quote_ident(#1)"},
    {"quote_literal", "t", oid::kText,
     "tacit_within('''' || replace(#1, '''', '''''') || '''', 65536)"},
    {"array_to_string", "at", oid::kText,
     "CASE WHEN #1 IS NOT NULL THEN "
     "tacit_within(coalesce(array_to_string(#1, tacit_within(#2, 64)), ''), 65536) END"},
    {"string_to_array", "tt", oid::kTextArray, "string_split(#1, #2)"},
    {"regexp_split_to_array", "tt", oid::kTextArray, "regexp_split_to_array(#1, #2)"},
    // numbers
    {"abs", "l", oid::kInt8, "abs(#1)"},
    {"mod", "ll", oid::kInt8, "(#1 % #2)"},
    {"floor", "f", oid::kFloat8, "floor(#1)"},
    {"ceil", "f", oid::kFloat8, "ceil(#1)"},
    {"round", "f", oid::kFloat8, "round(#1)"},
    {"generate_series", "ll", oid::kInt4,
     "unnest(CAST(tacit_series(CAST(#1 AS BIGINT), CAST(#2 AS BIGINT), 1) AS INTEGER[]))"},
    {"generate_series", "lll", oid::kInt4,
     "unnest(CAST(tacit_series(CAST(#1 AS BIGINT), CAST(#2 AS BIGINT), CAST(#3 AS BIGINT)) AS "
     "INTEGER[]))"},
    // types and definitions
    {"format_type", "oi", oid::kText,
     "tacit_format_type(#1, coalesce(CAST(#2 AS BIGINT), CAST(-2 AS BIGINT)))"},
    {"oidvectortypes", "a", oid::kText,
     "array_to_string(list_transform(#1, lambda tacit_type: tacit_format_type(tacit_type, "
     "CAST(-2 AS BIGINT))), ', ')"},
    {"to_regclass", "t", oid::kRegclass, "tacit_registry_number(2205, #1)"},
    {"to_regtype", "t", oid::kRegtype, "tacit_registry_number(2206, #1)"},
    {"to_regproc", "t", oid::kRegproc, "tacit_registry_number(24, #1)"},
    {"to_regnamespace", "t", oid::kRegnamespace, "tacit_registry_number(4089, #1)"},
    {"pg_get_expr", "to", oid::kText, "#1"},
    {"pg_get_expr", "tob", oid::kText, "#1"},
    {"pg_get_indexdef", "o", oid::kText, kNoText},
    {"pg_get_indexdef", "oib", oid::kText, kNoText},
    {"pg_get_constraintdef", "o", oid::kText, kNoText},
    {"pg_get_constraintdef", "ob", oid::kText, kNoText},
    {"pg_get_triggerdef", "o", oid::kText, kNoText},
    {"pg_get_triggerdef", "ob", oid::kText, kNoText},
    {"pg_get_ruledef", "o", oid::kText, kNoText},
    {"pg_get_ruledef", "ob", oid::kText, kNoText},
    {"pg_get_viewdef", "c", oid::kText, kNoText},
    {"pg_get_viewdef", "cb", oid::kText, kNoText},
    {"pg_get_functiondef", "o", oid::kText, kNoText},
    {"pg_get_function_sqlbody", "o", oid::kText, kNoText},
    {"pg_get_function_result", "o", oid::kText, "tacit_function_result(#1)"},
    {"pg_get_function_arguments", "o", oid::kText, "tacit_function_arguments(#1)"},
    {"pg_get_function_identity_arguments", "o", oid::kText, "tacit_function_arguments(#1)"},
    {"pg_get_partkeydef", "o", oid::kText, kNoText},
    {"pg_index_column_has_property", "cit", oid::kBool, "CAST(NULL AS BOOLEAN)"},
    {"pg_index_has_property", "ct", oid::kBool, "CAST(NULL AS BOOLEAN)"},
    {"pg_indexam_has_property", "ot", oid::kBool, "CAST(NULL AS BOOLEAN)"},
    {"acldefault", "to", oid::kTextArray, "CAST([] AS VARCHAR[])"},
    {"pg_get_serial_sequence", "tt", oid::kText, kNoText},
    {"pg_get_statisticsobjdef", "o", oid::kText, kNoText},
    {"pg_get_statisticsobjdef_columns", "o", oid::kText, kNoText},
    {"pg_get_partition_constraintdef", "o", oid::kText, kNoText},
    {"pg_get_replica_identity_index", "c", oid::kRegclass, kNoNumber},
    {"obj_description", "ot", oid::kText, kNoText},
    {"obj_description", "o", oid::kText, kNoText},
    {"col_description", "oi", oid::kText, kNoText},
    {"shobj_description", "ot", oid::kText, kNoText},
    {"pg_describe_object", "ooi", oid::kText, kNoText},
    {"pg_encoding_to_char", "i", oid::kName, "CASE #1 WHEN 6 THEN 'UTF8' ELSE '' END"},
    {"pg_char_to_encoding", "t", oid::kInt4, "CASE upper(#1) WHEN 'UTF8' THEN 6 ELSE -1 END"},
    {"getdatabaseencoding", "", oid::kName, "'UTF8'"},
    {"pg_tablespace_location", "o", oid::kText, "''"},
    {"pg_relation_is_publishable", "c", oid::kBool, "false"},
    {"pg_relation_is_updatable", "cb", oid::kInt4, "0"},
    {"pg_column_is_updatable", "cib", oid::kBool, "false"},
    {"pg_partition_ancestors", "c", oid::kRegclass, "unnest(CAST([] AS BIGINT[]))"},
    {"pg_partition_root", "c", oid::kRegclass, kNoNumber},
    {"pg_indexes_size", "c", oid::kInt8, kZero},
    {"pg_table_size", "c", oid::kInt8, kZero},
    {"pg_relation_size", "c", oid::kInt8, kZero},
    {"pg_relation_size", "ct", oid::kInt8, kZero},
    {"pg_total_relation_size", "c", oid::kInt8, kZero},
    {"pg_database_size", "a", oid::kInt8, kZero},
    {"pg_tablespace_size", "a", oid::kInt8, kZero},
    {"pg_relation_filenode", "c", oid::kOid, kNoNumber},
    {"pg_size_pretty", "l", oid::kText, "(CAST(#1 AS VARCHAR) || ' bytes')"},
    {"pg_stat_get_numscans", "o", oid::kInt8, kNoNumber},
    {"pg_stat_get_live_tuples", "o", oid::kInt8, kNoNumber},
    {"pg_stat_get_dead_tuples", "o", oid::kInt8, kNoNumber},
    {"age", "a", oid::kInt4, "CAST(NULL AS INTEGER)"},
    // Nothing is written, so there has been one transaction, and all have seen it.
    {"txid_current", "", oid::kInt8, kOne},
    {"txid_current_if_assigned", "", oid::kInt8, kNoNumber},
    {"txid_snapshot_xmin", "a", oid::kInt8, kOne},
    {"txid_current_snapshot", "", oid::kText, "'1:1:'"},
    {"pg_current_xact_id", "", oid::kInt8, kOne},
    {"pg_current_xact_id_if_assigned", "", oid::kInt8, kNoNumber},
    {"pg_is_in_recovery", "", oid::kBool, "false"},
    {"pg_is_other_temp_schema", "o", oid::kBool, "false"},
    {"pg_my_temp_schema", "", oid::kOid, kZero},
    {"pg_cancel_backend", "i", oid::kBool, "false"},
    {"pg_terminate_backend", "i", oid::kBool, "false"},
    {"pg_advisory_unlock_all", "", oid::kText, "''"},
    {"pg_notify", "tt", oid::kText, "''"},
    {"inet_server_addr", "", oid::kText, kNoText},
    {"inet_server_port", "", oid::kInt4, "CAST(NULL AS INTEGER)"},
    {"inet_client_addr", "", oid::kText, kNoText},
    // visibility of what lives in pg_catalog alone
    {"pg_function_is_visible", "o", oid::kBool, "true"},
    {"pg_operator_is_visible", "o", oid::kBool, "true"},
    {"pg_opclass_is_visible", "o", oid::kBool, "true"},
    {"pg_opfamily_is_visible", "o", oid::kBool, "true"},
    {"pg_collation_is_visible", "o", oid::kBool, "true"},
    {"pg_conversion_is_visible", "o", oid::kBool, "true"},
    {"pg_statistics_obj_is_visible", "o", oid::kBool, "true"},
    {"pg_ts_parser_is_visible", "o", oid::kBool, "true"},
    {"pg_ts_dict_is_visible", "o", oid::kBool, "true"},
    {"pg_ts_config_is_visible", "o", oid::kBool, "true"},
    {"pg_ts_template_is_visible", "o", oid::kBool, "true"},
    {"pg_type_is_visible", "o", oid::kBool, "tacit_type_is_visible(#1)"},
};

}  // namespace

std::span<const FunctionRule> FunctionRules() { return kRules; }

}  // namespace tacit::catalog
