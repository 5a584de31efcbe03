#pragma once

#include <string_view>

namespace tacit::wire::http {

// The OpenAPI 3.1 document of the API, as JSON.
std::string_view OpenApiDocument();

}  // namespace tacit::wire::http
