#pragma once

#include <string>
#include <string_view>

#include "policy/policy.h"

namespace tacit::policy {

// Why these: a policy is written by a person. The limits keep a hostile or broken file from costing
// more than a moment.
inline constexpr int64_t kPolicyBytesMax = 16 << 20;  // a million keys fit
inline constexpr int kPolicyDepthMax = 12;            // the deepest word of a real file is at 7

// Reads a folder's tacit.yaml, or the policy file itself. Strict: an unknown word, a wrong type, a
// missing or repeated word is an error (kInvalidArgument) that names file:line:column and what to
// write instead. A file that cannot be read is kInvalidArgument too: without a policy nothing may
// be answered.
Result<Policy> Load(const std::string& path);

// The same from a text; `file` names it in messages and its folder resolves relative paths.
Result<Policy> Parse(std::string_view text, const std::string& file);

// The settings of an engine that a policy yet to be written will have; `password` is a reference.
Result<PostgresSettings> MakePostgresSettings(const std::string& dsn, const std::string& password,
                                              const std::string& schema, const std::string& folder);

// The same of a cluster of Trino's: names and the password as they are written in a policy.
// kInvalidArgument for a URL that is none, and for a password that would not be sent over TLS.
Result<TrinoSettings> MakeTrinoSettings(TrinoSettings written, const std::string& folder);

}  // namespace tacit::policy
