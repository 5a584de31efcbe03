#pragma once

#include <CLI/CLI.hpp>

// The attacks on released files, one file attack_<name>.cc each. They need no server.

namespace tacit::app {

void AddAttackUniqueness(CLI::App& attack, int& exit_code);
void AddAttackLinkage(CLI::App& attack, int& exit_code);
void AddAttackIntersection(CLI::App& attack, int& exit_code);
void AddAttackDimension(CLI::App& attack, int& exit_code);

}  // namespace tacit::app
