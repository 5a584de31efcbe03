#pragma once

#include <span>

#include "local/survey/service.h"

namespace tacit::survey_page {

// The survey's page: what stands in this folder, put into the program when it is built.
std::span<const local::PageFile> Files();

}  // namespace tacit::survey_page
