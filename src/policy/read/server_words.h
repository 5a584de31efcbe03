#pragma once

#include <string>
#include <string_view>

#include "policy/yaml/words.h"

// What the sections of servers that hold tables share.
namespace tacit::policy::read {

inline constexpr char kPasswordHint[] = "write  password: env:NAME, file:PATH or credential:NAME";

// What a reference stands for; a password that stands there itself is refused. The engine's name is
// for people.
Result<std::string> ReadServerPassword(const std::string& reference, const std::string& folder,
                                       const std::string& engine);

// The same error, at its place in the file.
template <class T>
Result<T> AtPlace(Result<T> read, std::string_view file, const Place& place) {
  if (read.ok()) return read;
  return yaml::ErrorAt(file, place, read.error().public_message, read.error().hint);
}

}  // namespace tacit::policy::read
