#pragma once

#include "wire/http/api/api.h"
#include "wire/service/house.h"

namespace tacit::wire::http {

// The doors of a deployment that is being served. Questions are carried out by the house's crew, in
// its turns, and leave on the policy's time grid. The house outlives the doors.
Doors DoorsOf(House& house);

}  // namespace tacit::wire::http
