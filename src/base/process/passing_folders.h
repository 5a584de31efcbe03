#pragma once

#include <string>

// Folders that go with what made them. Whoever ends the program without running destructors, as
// Ctrl-C does, takes away what is left of them first.
namespace tacit {

void AddPassingFolder(const std::string& path);

// With everything in it; what cannot be removed stays, and is not tried again.
void RemovePassingFolder(const std::string& path);

void RemovePassingFolders();

}  // namespace tacit
