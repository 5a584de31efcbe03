#pragma once

#include <CLI/CLI.hpp>

// The subcommands of `tacit local`, one file each.

namespace tacit::app {

void AddLocalPlan(CLI::App& local, int& exit_code);
void AddLocalRandomize(CLI::App& local, int& exit_code);
void AddLocalEstimate(CLI::App& local, int& exit_code);
void AddLocalVerify(CLI::App& local, int& exit_code);
void AddLocalSurvey(CLI::App& local, int& exit_code);

}  // namespace tacit::app
