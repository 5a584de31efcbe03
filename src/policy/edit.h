#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Changes to the text of a policy that leave everything else of it, comments and all, as the owner
// wrote it. They go by lines, so a section that is written in braces is refused: the hint says what
// to do by hand. Whether what comes out is a policy, reading it says (load.h).

namespace tacit::policy {

// `data_version: N`, replaced or added.
Result<std::string> WithDataVersion(const std::string& text, int64_t version);

// Adds an entry at the end of a section ("tables", "analysts"), which is made if it is missing.
// `entry` is written as if it stood at the left margin.
Result<std::string> WithEntry(const std::string& text, std::string_view section,
                              const std::string& entry);

// Takes an entry out, with the comments inside it.
Result<std::string> WithoutEntry(const std::string& text, std::string_view section,
                                 std::string_view name);

// Replaces the text of one word of an entry: analysts, ana, password.
Result<std::string> WithWord(const std::string& text, std::string_view section,
                             std::string_view name, std::string_view word,
                             const std::string& value);

// Sets what a path of names leads to ({"tables", "visits", "columns", "cost", "bounds"}) to a value
// as YAML writes it ("[0, 100]"): replaced where it stands, or added with whatever of the path is
// missing. Names ignore case where names of tables do.
Result<std::string> WithValue(const std::string& text, const std::vector<std::string>& path,
                              const std::string& value);

// A name or a text as YAML reads it back: quoted unless it is a plain word.
std::string YamlText(const std::string& text);

}  // namespace tacit::policy
