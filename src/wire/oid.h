#pragma once

#include "catalog/oid.h"

// The catalog's numbers of PostgreSQL's types, which both protocols speak in.

namespace tacit::wire {

using catalog::Oid;
using catalog::OidColumn;
namespace oid = catalog::oid;

}  // namespace tacit::wire
