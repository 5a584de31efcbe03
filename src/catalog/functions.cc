#include "catalog/functions.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/values/logical_type.h"

// Longer than most: one list of functions, each of a few lines.
namespace tacit::catalog {
namespace {

using engine::duckdb::LogicalType;
using Argument = std::variant<int64_t, std::string>;
using Body = std::function<std::variant<std::monostate, bool, int64_t, std::string>(
    const std::vector<Argument>&)>;

struct Function {
  const char* name;
  std::vector<duckdb_type> parameters;
  duckdb_type result;
  Body body;
};

Argument ReadArgument(duckdb_vector vector, duckdb_type type, idx_t row) {
  void* cells = duckdb_vector_get_data(vector);
  if (type == DUCKDB_TYPE_BIGINT) return static_cast<int64_t*>(cells)[row];
  auto* text = static_cast<duckdb_string_t*>(cells) + row;
  return std::string(duckdb_string_t_data(text), duckdb_string_t_length(*text));
}

// The engine does not count what its own functions make inside a chunk, nor can it be interrupted
// there: these two keep a chunk small whatever the arguments are.
// Why 100,000: as many rows as an answer may have. Why 2^20: 8 MiB for the series of one chunk.
constexpr int64_t kSeriesRowsMax = 100'000, kSeriesRowsOfChunkMax = int64_t{1} << 20;
// Why 2 MiB: a thousand bytes for each of its rows.
constexpr size_t kTextBytesOfChunkMax = size_t{2} << 20;

bool IsValid(duckdb_vector vector, idx_t row) {
  uint64_t* valid = duckdb_vector_get_validity(vector);
  return valid == nullptr || duckdb_validity_row_is_valid(valid, row);
}

// generate_series(first, last, step) as a list; NULL where an argument is.
void Series(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const idx_t size = duckdb_data_chunk_get_size(input);
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* validity = duckdb_vector_get_validity(output);
  std::vector<int64_t> values;
  std::vector<duckdb_list_entry> entries(size);
  for (idx_t row = 0; row < size; ++row) {
    int64_t arguments[3] = {};
    bool complete = true;
    for (idx_t i = 0; i < 3; ++i) {
      const duckdb_vector vector = duckdb_data_chunk_get_vector(input, i);
      complete = complete && IsValid(vector, row);
      if (complete) arguments[i] = static_cast<int64_t*>(duckdb_vector_get_data(vector))[row];
    }
    entries[row] = {values.size(), 0};
    if (!complete) {
      duckdb_validity_set_row_invalid(validity, row);
      continue;
    }
    const auto [first, last, step] = arguments;
    if (step == 0) return duckdb_scalar_function_set_error(info, "the step of a series is 0");
    // The difference of two 64-bit numbers fits in 64 bits without a sign.
    const bool up = step > 0;
    if (up ? first > last : first < last) continue;
    const uint64_t length = up ? static_cast<uint64_t>(last) - static_cast<uint64_t>(first)
                               : static_cast<uint64_t>(first) - static_cast<uint64_t>(last);
    const uint64_t stride = up ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
    const uint64_t count = length / stride;  // and the first one
    if (count >= kSeriesRowsMax || values.size() + count >= kSeriesRowsOfChunkMax) {
      return duckdb_scalar_function_set_error(info, kLimitText);
    }
    for (uint64_t i = 0; i <= count; ++i) {
      const uint64_t way = i * stride;
      values.push_back(static_cast<int64_t>(up ? static_cast<uint64_t>(first) + way
                                               : static_cast<uint64_t>(first) - way));
    }
    entries[row].length = count + 1;
  }
  duckdb_list_vector_reserve(output, values.size());
  duckdb_list_vector_set_size(output, values.size());
  auto* cells = static_cast<int64_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(output)));
  std::copy(values.begin(), values.end(), cells);
  std::copy(entries.begin(), entries.end(),
            static_cast<duckdb_list_entry*>(duckdb_vector_get_data(output)));
}

// The text itself, unless it is longer than the second argument says.
void Within(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const idx_t size = duckdb_data_chunk_get_size(input);
  const duckdb_vector texts = duckdb_data_chunk_get_vector(input, 0);
  const auto* most =
      static_cast<int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 1)));
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* validity = duckdb_vector_get_validity(output);
  size_t bytes = 0;
  for (idx_t row = 0; row < size; ++row) {
    if (!IsValid(texts, row)) {
      duckdb_validity_set_row_invalid(validity, row);
      continue;
    }
    auto* text = static_cast<duckdb_string_t*>(duckdb_vector_get_data(texts)) + row;
    const size_t length = duckdb_string_t_length(*text);
    bytes += length;
    if (length > static_cast<size_t>(most[row]) || bytes > kTextBytesOfChunkMax) {
      return duckdb_scalar_function_set_error(info, kLimitText);
    }
    duckdb_vector_assign_string_element_len(output, row, duckdb_string_t_data(text), length);
  }
}

struct BeyondLimits {};  // thrown by a body

// Called by DuckDB for a chunk of rows; a NULL argument makes a NULL result.
void Call(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& described =
      *static_cast<const Function*>(duckdb_scalar_function_get_extra_info(info));
  const idx_t size = duckdb_data_chunk_get_size(input);
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* validity = duckdb_vector_get_validity(output);
  for (idx_t row = 0; row < size; ++row) {
    std::vector<Argument> arguments;
    for (idx_t i = 0; i < described.parameters.size(); ++i) {
      const duckdb_vector vector = duckdb_data_chunk_get_vector(input, i);
      uint64_t* valid = duckdb_vector_get_validity(vector);
      if (valid != nullptr && !duckdb_validity_row_is_valid(valid, row)) break;
      arguments.push_back(ReadArgument(vector, described.parameters[i], row));
    }
    const bool complete = arguments.size() == described.parameters.size();
    std::variant<std::monostate, bool, int64_t, std::string> result;
    try {
      if (complete) result = described.body(arguments);
    } catch (const BeyondLimits&) {
      return duckdb_scalar_function_set_error(info, kLimitText);
    }
    void* cells = duckdb_vector_get_data(output);
    if (const auto* text = std::get_if<std::string>(&result)) {
      duckdb_vector_assign_string_element_len(output, row, text->data(), text->size());
    } else if (const auto* number = std::get_if<int64_t>(&result)) {
      static_cast<int64_t*>(cells)[row] = *number;
    } else if (const auto* truth = std::get_if<bool>(&result)) {
      static_cast<bool*>(cells)[row] = *truth;
    } else {
      duckdb_validity_set_row_invalid(validity, row);
    }
  }
}

Oid ToOid(const Argument& argument) {
  const int64_t number = std::get<int64_t>(argument);
  return number < 0 || number > UINT32_MAX ? 0 : static_cast<Oid>(number);
}

struct FunctionName {
  std::string name;
  std::vector<Oid> arguments;
  Oid result = 0;
};

const std::unordered_map<Oid, FunctionName>& FunctionNames() {
  static const std::unordered_map<Oid, FunctionName> names = [] {
    std::unordered_map<Oid, FunctionName> all;
    for (const Row& row : SystemRows("pg_proc")) {
      FunctionName described{.name = *row[1], .arguments = {}, .result = 0};
      described.result = static_cast<Oid>(std::stoul(*row[18]));
      const std::string& list = *row[19];
      for (size_t i = 0; i < list.size();) {
        size_t used = 0;
        described.arguments.push_back(static_cast<Oid>(std::stoul(list.substr(i), &used)));
        i += used + 1;
      }
      all.emplace(static_cast<Oid>(std::stoul(*row[0])), std::move(described));
    }
    return all;
  }();
  return names;
}

std::string ArgumentsText(Oid described) {
  const auto found = FunctionNames().find(described);
  std::string text;
  if (found == FunctionNames().end()) return text;
  for (const Oid argument : found->second.arguments) {
    text += (text.empty() ? "" : ", ") + FormatType(argument, -2);
  }
  return text;
}

std::string JsonText(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// How many bytes the character at the beginning of the text has.
size_t CharacterBytes(std::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
  return bytes;
}

// LIKE, going back to the last % only. The engine's own tries every place of every %, which takes
// for ever and cannot be interrupted.
bool IsLike(std::string_view text, std::string_view pattern, std::string_view escape) {
  // Why 2^20: two thousand rows of it take a second or two.
  constexpr size_t kStepsMax = size_t{1} << 20;
  if (!text.empty() && pattern.size() > kStepsMax / text.size()) throw BeyondLimits();
  size_t t = 0, p = 0, after_percent = std::string_view::npos, tried = 0;
  while (t < text.size()) {
    const bool escaped = p < pattern.size() && !escape.empty() &&
                         pattern.substr(p).starts_with(escape) &&
                         p + escape.size() < pattern.size();
    const size_t literal = escaped ? p + escape.size() : p;
    const size_t character = CharacterBytes(text.substr(t));
    if (!escaped && p < pattern.size() && pattern[p] == '%') {
      after_percent = ++p;
      tried = t;
    } else if (!escaped && p < pattern.size() && pattern[p] == '_') {
      t += character;
      ++p;
    } else if (literal < pattern.size() &&
               pattern.substr(literal).starts_with(text.substr(t, character))) {
      t += character;
      p = literal + character;
    } else if (after_percent != std::string_view::npos) {
      tried += CharacterBytes(text.substr(tried));
      t = tried;
      p = after_percent;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%' && escape != "%") ++p;
  return p == pattern.size();
}

// The schema of a relation or a type, as a number.
int64_t NamespaceOf(const Objects& objects, Oid relation) {
  const Relation* found = objects.Find(relation);
  return found == nullptr ? 0 : objects.SchemaOid(found->schema);
}

std::vector<Function> Functions(const Objects& objects) {
  constexpr duckdb_type kNumber = DUCKDB_TYPE_BIGINT;
  constexpr duckdb_type kString = DUCKDB_TYPE_VARCHAR;
  std::vector<Function> functions = {
      {"tacit_format_type",
       {kNumber, kNumber},
       kString,
       [](const auto& a) { return FormatType(ToOid(a[0]), std::get<int64_t>(a[1])); }},
      {"tacit_type_name",
       {kNumber},
       kString,
       [](const auto& a) {
         const TypeFacts* type = FindType(ToOid(a[0]));
         return type == nullptr ? std::string("???") : type->name;
       }},
      {"tacit_namespace_of",
       {kNumber},
       kNumber,
       [&objects](const auto& a) { return NamespaceOf(objects, ToOid(a[0])); }},
      {"tacit_type_is_visible",
       {kNumber},
       DUCKDB_TYPE_BOOLEAN,
       [](const auto& a) {
         const TypeFacts* type = FindType(ToOid(a[0]));
         return type != nullptr && type->schema == "pg_catalog";
       }},
      {"tacit_quote_ident",
       {kString},
       kString,
       [](const auto& a) { return QuoteIdent(std::get<std::string>(a[0])); }},
      {"tacit_like",
       {kString, kString, kString},
       DUCKDB_TYPE_BOOLEAN,
       [](const auto& a) {
         return IsLike(std::get<std::string>(a[0]), std::get<std::string>(a[1]),
                       std::get<std::string>(a[2]));
       }},
      {"tacit_json_text",
       {kString},
       kString,
       [](const auto& a) { return JsonText(std::get<std::string>(a[0])); }},
      {"tacit_function_arguments",
       {kNumber},
       kString,
       [](const auto& a) { return ArgumentsText(ToOid(a[0])); }},
      {"tacit_function_result",
       {kNumber},
       kString,
       [](const auto& a) {
         const auto found = FunctionNames().find(ToOid(a[0]));
         return found == FunctionNames().end() ? std::string()
                                               : FormatType(found->second.result, -2);
       }},
      {"tacit_registry_text",
       {kNumber, kNumber, kNumber},
       kString,
       [&objects](const auto& a) {
         return RegistryText(objects, ToOid(a[0]), ToOid(a[1]), std::get<int64_t>(a[2]) != 0);
       }},
  };
  functions.push_back(
      {"tacit_registry_number",
       {kNumber, kString},
       kNumber,
       [&objects](const auto& a) -> std::variant<std::monostate, bool, int64_t, std::string> {
         const std::optional<Oid> found =
             ParseRegistry(objects, ToOid(a[0]), std::get<std::string>(a[1]));
         if (!found) return std::monostate{};
         return static_cast<int64_t>(*found);
       }});
  return functions;
}

Result<Done> Register(engine::duckdb::Connection& connection, Function described) {
  duckdb_scalar_function made = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(made, described.name);
  for (const duckdb_type parameter : described.parameters) {
    const LogicalType type(duckdb_create_logical_type(parameter));
    duckdb_scalar_function_add_parameter(made, type.get());
  }
  const LogicalType result(duckdb_create_logical_type(described.result));
  duckdb_scalar_function_set_return_type(made, result.get());
  duckdb_scalar_function_set_extra_info(made, new Function(std::move(described)),
                                        [](void* owned) { delete static_cast<Function*>(owned); });
  duckdb_scalar_function_set_function(made, engine::duckdb::WithoutThrowing<Call>);
  const duckdb_state state = duckdb_register_scalar_function(connection.handle(), made);
  duckdb_destroy_scalar_function(&made);
  if (state != DuckDBSuccess) {
    return engine::duckdb::EngineUnavailable("a function of the catalog cannot be registered");
  }
  return Done{};
}

// A function over whole chunks, whose NULL is its own affair.
Result<Done> RegisterBound(engine::duckdb::Connection& connection, const char* name,
                           const std::vector<duckdb_type>& parameters, LogicalType result,
                           duckdb_scalar_function_t body) {
  duckdb_scalar_function made = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(made, name);
  for (const duckdb_type parameter : parameters) {
    const LogicalType type(duckdb_create_logical_type(parameter));
    duckdb_scalar_function_add_parameter(made, type.get());
  }
  duckdb_scalar_function_set_return_type(made, result.get());
  duckdb_scalar_function_set_function(made, body);
  const duckdb_state state = duckdb_register_scalar_function(connection.handle(), made);
  duckdb_destroy_scalar_function(&made);
  if (state == DuckDBSuccess) return Done{};
  return engine::duckdb::EngineUnavailable("a function of the catalog cannot be registered");
}

Result<Done> RegisterBounds(engine::duckdb::Connection& connection) {
  constexpr duckdb_type kNumber = DUCKDB_TYPE_BIGINT;
  const LogicalType number(duckdb_create_logical_type(kNumber));
  TACIT_CHECK(RegisterBound(connection, "tacit_series", {kNumber, kNumber, kNumber},
                            LogicalType(duckdb_create_list_type(number.get())),
                            engine::duckdb::WithoutThrowing<Series>));
  return RegisterBound(connection, "tacit_within", {DUCKDB_TYPE_VARCHAR, kNumber},
                       LogicalType(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR)),
                       engine::duckdb::WithoutThrowing<Within>);
}

}  // namespace

std::string RegistryText(const Objects& objects, Oid type, Oid value, bool public_is_searched) {
  switch (type) {
    case oid::kRegclass:
      return objects.ClassText(value, public_is_searched);
    case oid::kRegtype:
      return FindType(value) != nullptr || value == 0 ? FormatType(value, -2)
                                                      : std::to_string(value);
    case oid::kRegnamespace:
      return objects.SchemaText(value);
    case oid::kRegproc:
    case oid::kRegprocedure: {
      if (value == 0) return "-";
      const auto found = FunctionNames().find(value);
      if (found == FunctionNames().end()) return std::to_string(value);
      if (type == oid::kRegproc) return found->second.name;
      return found->second.name + "(" + ArgumentsText(value) + ")";
    }
    case oid::kRegrole:
      return value == kOwnerOid ? kOwnerRole : value == 0 ? "-" : std::to_string(value);
    default:
      return value == 0 ? "-" : std::to_string(value);
  }
}

std::optional<Oid> ParseRegistry(const Objects& objects, Oid type, std::string_view text) {
  if (text == "-") return 0;
  if (!text.empty() && text.size() < 11 &&
      text.find_first_not_of("0123456789") == std::string_view::npos) {
    return static_cast<Oid>(std::stoull(std::string(text)));
  }
  Oid found = 0;
  if (type == oid::kRegclass) found = objects.ParseClass(text);
  if (type == oid::kRegtype) found = ParseTypeName(text);
  if (type == oid::kRegnamespace) found = objects.ParseSchema(text);
  if (type == oid::kRegrole && text == kOwnerRole) found = kOwnerOid;
  if (type == oid::kRegproc || type == oid::kRegprocedure) {
    const std::string_view bare = text.starts_with("pg_catalog.") ? text.substr(11) : text;
    for (const auto& [number, described] : FunctionNames()) {
      if (described.name == bare.substr(0, bare.find('('))) found = number;
    }
  }
  return found == 0 ? std::nullopt : std::optional<Oid>(found);
}

Result<Done> RegisterFunctions(engine::duckdb::Connection& connection, const Objects& objects) {
  for (Function& described : Functions(objects)) {
    TACIT_CHECK(Register(connection, std::move(described)));
  }
  return RegisterBounds(connection);
}

}  // namespace tacit::catalog
