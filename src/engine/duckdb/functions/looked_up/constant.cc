#include <charconv>

#include "engine/duckdb/database/constants.h"
#include "engine/duckdb/functions/bind_data.h"
#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {
namespace {

struct Place {
  std::shared_ptr<const Constants> list;
  size_t place = 0;
};

struct ValueMaker {
  duckdb_type type;
  duckdb_value operator()(int64_t whole) const {
    return type == DUCKDB_TYPE_INTEGER ? duckdb_create_int32(static_cast<int32_t>(whole))
                                       : duckdb_create_int64(whole);
  }
  duckdb_value operator()(double real) const { return duckdb_create_double(real); }
  duckdb_value operator()(const Date& date) const {
    return duckdb_create_date(duckdb_date{date.days});
  }
  duckdb_value operator()(const std::string& text) const {
    return duckdb_create_varchar_length(text.data(), text.size());
  }
  template <class Other>
  duckdb_value operator()(const Other&) const {
    return duckdb_create_null_value();
  }
};

}  // namespace

void FindConstant(duckdb_bind_info info) {
  const std::string name = ConstantText(info, 0).value_or("");
  int64_t list = 0;
  Place found;
  const char* const end = name.data() + name.size();
  const auto [dot, no_list] = std::from_chars(name.data(), end, list);
  if (no_list == std::errc() && dot != end) {
    const auto [rest, no_place] = std::from_chars(dot + 1, end, found.place);
    if (no_place == std::errc() && rest == end) found.list = Constants::Find(list);
  }
  if (found.list == nullptr) {
    return duckdb_scalar_function_bind_set_error(info, "there is no such list of constants");
  }
  SetBindData(info, found);
}

void GiveConstant(duckdb_function_info info, duckdb_data_chunk, duckdb_vector output) {
  const Place& place = BindData<Place>(info);
  duckdb_value value = std::visit(ValueMaker{StoredTypeOf(output)}, place.list->at(place.place));
  // A text that is not UTF-8 has none.
  if (value == nullptr) return duckdb_scalar_function_set_error(info, "a constant is no value");
  duckdb_vector_reference_value(output, value);
  duckdb_destroy_value(&value);
}

}  // namespace tacit::engine::duckdb
