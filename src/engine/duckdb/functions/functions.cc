#include "engine/duckdb/functions/functions.h"

#include <utility>
#include <vector>

#include "engine/duckdb/database/constants.h"
#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/functions/aggregates/cell_counter.h"
#include "engine/duckdb/functions/aggregates/count_people.h"
#include "engine/duckdb/functions/aggregates/exact_aggregates.h"
#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/values/logical_type.h"
#include "plan/above/average_margin.h"
#include "sql/print/engine_functions.h"

namespace tacit::engine::duckdb {
namespace {

LogicalType TypeOf(duckdb_type type) { return LogicalType(duckdb_create_logical_type(type)); }

struct Described {
  const char* name;
  std::vector<duckdb_type> parameters;
  bool takes_more;  // any number of values of any type
  duckdb_type result;
  duckdb_scalar_function_t body;
  duckdb_scalar_function_bind_t bind = nullptr;  // what it does once for each statement
  bool may_change = false;                       // from run to run: no plan may hold its value
};

bool Register(duckdb_connection connection, const Described& described) {
  duckdb_scalar_function made = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(made, described.name);
  for (const duckdb_type parameter : described.parameters) {
    duckdb_scalar_function_add_parameter(made, TypeOf(parameter).get());
  }
  if (described.takes_more) {
    duckdb_scalar_function_set_varargs(made, TypeOf(DUCKDB_TYPE_ANY).get());
  }
  duckdb_scalar_function_set_return_type(made, TypeOf(described.result).get());
  // NULL is for the function to handle.
  duckdb_scalar_function_set_special_handling(made);
  duckdb_scalar_function_set_function(made, described.body);
  if (described.bind != nullptr) duckdb_scalar_function_set_bind(made, described.bind);
  if (described.may_change) duckdb_scalar_function_set_volatile(made);
  const bool good = duckdb_register_scalar_function(connection, made) == DuckDBSuccess;
  duckdb_destroy_scalar_function(&made);
  return good;
}

}  // namespace

Result<Done> RegisterExpressionFunctions(duckdb_connection connection) {
  const Described described[] = {
      {.name = sql::kFiniteFunction,
       .parameters = {DUCKDB_TYPE_DOUBLE},
       .takes_more = false,
       .result = DUCKDB_TYPE_DOUBLE,
       .body = WithoutThrowing<KeepFinite>},
      {.name = plan::kAverageMarginFunction,
       .parameters = {DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_VARCHAR},
       .takes_more = false,
       .result = DUCKDB_TYPE_DOUBLE,
       .body = WithoutThrowing<GiveAverageMargins>,
       .bind = BindWithoutThrowing<ReadAverageMargin>}};
  for (const Described& function : described) {
    if (!Register(connection, function)) {
      return EngineUnavailable(std::string("cannot register ") + function.name);
    }
  }
  if (RegisterExactAggregates(connection)) return Done{};
  return EngineUnavailable("cannot register the exact aggregates");
}

Result<Done> RegisterFunctions(duckdb_connection connection) {
  TACIT_CHECK(RegisterExpressionFunctions(connection));
  const Described described[] = {
      {.name = kRowHashFunction,
       .parameters = {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_VARCHAR},
       .takes_more = true,
       .result = DUCKDB_TYPE_UBIGINT,
       .body = WithoutThrowing<HashRows>},
      {.name = kOnGridFunction,
       .parameters = {DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_VARCHAR},
       .takes_more = false,
       .result = DUCKDB_TYPE_BIGINT,
       .body = WithoutThrowing<PutOnGrid>,
       .bind = BindWithoutThrowing<ReadGrid>},
      {.name = kFromDecimalFunction,
       .parameters = {DUCKDB_TYPE_ANY},  // a decimal of any digits stays what it is
       .takes_more = false,
       .result = DUCKDB_TYPE_DOUBLE,
       .body = WithoutThrowing<FromDecimal>,
       .bind = BindWithoutThrowing<ReadDecimalType>},
      {.name = kTextNumberFunction,
       .parameters = {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_BIGINT},
       .takes_more = false,
       .result = DUCKDB_TYPE_UINTEGER,
       .body = WithoutThrowing<NumberTexts>},
      {.name = kRowPlaceFunction,
       .parameters = {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_BIGINT},
       .takes_more = false,
       .result = DUCKDB_TYPE_BIGINT,
       .body = WithoutThrowing<FindPlaces>},
      {.name = kRowTiesFunction,
       .parameters = {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_BIGINT},
       .takes_more = false,
       .result = DUCKDB_TYPE_BOOLEAN,
       .body = WithoutThrowing<FindTies>}};
  for (const Described& function : described) {
    if (!Register(connection, function)) {
      return EngineUnavailable(std::string("cannot register ") + function.name);
    }
  }
  const std::pair<const char*, duckdb_type> constants[] = {{kIntegerConstant, DUCKDB_TYPE_INTEGER},
                                                           {kBigintConstant, DUCKDB_TYPE_BIGINT},
                                                           {kDoubleConstant, DUCKDB_TYPE_DOUBLE},
                                                           {kDateConstant, DUCKDB_TYPE_DATE},
                                                           {kTextConstant, DUCKDB_TYPE_VARCHAR}};
  for (const auto& [name, type] : constants) {
    const Described constant{.name = name,
                             .parameters = {DUCKDB_TYPE_VARCHAR},
                             .takes_more = false,
                             .result = type,
                             .body = WithoutThrowing<GiveConstant>,
                             .bind = BindWithoutThrowing<FindConstant>,
                             .may_change = true};
    if (!Register(connection, constant)) {
      return EngineUnavailable(std::string("cannot register ") + name);
    }
  }
  if (!RegisterCountPeople(connection)) {
    return EngineUnavailable(std::string("cannot register ") + kPeopleFunction);
  }
  if (!RegisterFullCells(connection)) {
    return EngineUnavailable(std::string("cannot register ") + kFullCellsFunction);
  }
  return Done{};
}

}  // namespace tacit::engine::duckdb
