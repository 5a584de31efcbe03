#pragma once

#include "wire/deployment/live_deployment.h"
#include "wire/http/api/api.h"

namespace tacit::wire::http {

// A deployment that is being served, behind its front door. It outlives the result.
Backend BackendOf(LiveDeployment& deployment);

}  // namespace tacit::wire::http
