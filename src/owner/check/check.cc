#include "owner/check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/secrets/digest.h"
#include "base/whole_file.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "engine/duckdb/values/read_schema.h"
#include "owner/check/rules.h"
#include "owner/data/change.h"
#include "owner/files.h"
#include "owner/in_place/verify.h"
#include "owner/keys/deployment_key.h"
#include "policy/load.h"

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;

const char* NameOf(Severity severity) {
  return severity == Severity::kError     ? "error"
         : severity == Severity::kWarning ? "warning"
                                          : "note";
}

// A stale copy is harmless to answers, but slow, and it still holds people's rows.
void CheckPrepared(const policy::Policy& policy, const std::string& data_path,
                   policy::Schema& schema, Findings& findings) {
  if (!engine::duckdb::HasManifest(data_path)) return;
  const Result<SecretBytes> key = ReadDeploymentKey(policy);
  if (!key.ok()) return;
  if (const auto copy = engine::duckdb::FindPreparedCopy(policy, data_path, *key)) {
    return engine::duckdb::MarkPrepared(*copy, policy, schema);
  }
  Add(findings, Severity::kNote, {1, 1},
      "what tacit prepare stored was made of another policy, data_version or data, or by an "
      "earlier "
      "version: no query uses it",
      "run tacit prepare again, or delete " + engine::duckdb::PreparedPath(data_path));
}

Result<Done> CheckDatabase(const policy::Policy& policy, Wanted wanted, Findings& findings) {
  if (const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine)) {
    return CheckServer(policy, *server, findings);
  }
  if (const auto* cluster = std::get_if<policy::TrinoSettings>(&policy.engine)) {
    return CheckServer(policy, *cluster, findings);
  }
  const auto* engine = &std::get<policy::DuckdbSettings>(policy.engine);
  engine::duckdb::DataSource source = engine::duckdb::SourceOf(*engine);
  policy::Schema schema;
  if (engine->ReadsFiles()) {
    TACIT_TRY(VerifiedFiles verified, VerifyFiles(policy));
    source = std::move(verified.source);
    schema = std::move(verified.schema);
  }
  TACIT_TRY(const Database database, engine::duckdb::OpenData(source, {}));
  TACIT_TRY(Connection connection, database.Connect());
  if (!engine->ReadsFiles()) {
    TACIT_TRY(schema, engine::duckdb::ReadSchema(connection));
  }
  CheckPrepared(policy, engine->path, schema, findings);
  CheckSchema(policy, schema, findings);
  CheckRows(policy, schema, connection, wanted, findings);
  return Done{};
}

// What the findings about a database were made of; nothing where that cannot be told.
std::optional<std::string> SubjectOf(const policy::Policy& policy, const std::string& data_path) {
  const Result<SecretBytes> key = ReadDeploymentKey(policy);
  if (!key.ok()) return std::nullopt;
  const auto subject = engine::duckdb::PreparedFingerprint(policy, data_path, *key);
  if (!subject) return std::nullopt;
  std::string text = *subject;
  for (const policy::Table& table : policy.tables) text += " " + std::to_string(table.rows_max);
  return Sha256Hex(text);
}

std::string ReadMark(const std::string& path) {
  const std::string text = WholeFile(path).value_or("");
  return text.substr(0, text.find('\n'));
}

// Only saves the work of the next time: what cannot be written is not kept.
void WriteMark(const std::string& path, const std::string& subject) {
  (void)::unlink(path.c_str());
  (void)WriteNewFile(path, subject + "\n", S_IRUSR | S_IWUSR).ok();
}

// The loader's message begins with file:line:column.
Finding OfLoader(const Error& error) {
  Finding finding{Severity::kError, {1, 1}, error.public_message, error.hint};
  int line = 0, column = 0, used = 0;
  for (size_t colon = error.public_message.find(':'); colon != std::string::npos;
       colon = error.public_message.find(':', colon + 1)) {
    const char* rest = error.public_message.c_str() + colon;
    if (std::sscanf(rest, ":%d:%d: %n", &line, &column, &used) != 2 || used == 0) continue;
    finding.place = {line, column};
    finding.message = rest + used;
    break;
  }
  return finding;
}

std::string FileOf(const std::string& path) {
  std::string file = path;
  while (file.size() > 1 && file.ends_with('/')) file.pop_back();
  return file.ends_with(".yaml") || file.ends_with(".yml") ? file : file + "/tacit.yaml";
}

}  // namespace

int CheckReport::CountOf(Severity severity) const {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](const Finding& f) { return f.severity == severity; }));
}

CheckReport Check(const std::string& path) {
  CheckReport report;
  report.file = FileOf(path);
  const Result<policy::Policy> policy = LoadDeployment(path);
  if (!policy.ok()) {
    report.findings.push_back(OfLoader(policy.error()));
    return report;
  }
  report.file = policy->file;
  CheckPrices(*policy, report.findings);
  CheckDeclarations(*policy, report.findings);
  CheckFiles(*policy, report.findings);
  CheckLedger(*policy, report.findings);
  if (const Result<Done> done = CheckDatabase(*policy, Wanted::kEverything, report.findings);
      !done.ok()) {
    // The owner's own screen: the engine's text helps here.
    Add(report.findings, Severity::kError, {1, 1},
        done.error().private_detail.empty()
            ? done.error().public_message
            : done.error().public_message + ": " + done.error().private_detail,
        done.error().hint);
  }
  std::stable_sort(
      report.findings.begin(), report.findings.end(), [](const Finding& a, const Finding& b) {
        return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
      });
  return report;
}

Result<Done> RefuseErrors(const policy::Policy& policy) {
  const auto* engine = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (engine == nullptr) {  // asked each time: a server's tables change without a mark
    CheckReport report{.file = policy.file, .findings = {}};
    TACIT_CHECK(CheckDatabase(policy, Wanted::kErrors, report.findings));
    return FirstErrorOf(report);
  }
  const std::string mark = engine->path + "-checked";
  const std::optional<std::string> subject = SubjectOf(policy, engine->path);
  if (subject && ReadMark(mark) == *subject) return Done{};
  CheckReport report{.file = policy.file, .findings = {}};
  TACIT_CHECK(CheckDatabase(policy, Wanted::kErrors, report.findings));
  if (report.CountOf(Severity::kError) == 0) {
    if (subject) WriteMark(mark, *subject);
    return Done{};
  }
  return FirstErrorOf(report);
}

Result<Done> FirstErrorOf(const CheckReport& report) {
  const int count = report.CountOf(Severity::kError);
  for (const Finding& finding : report.findings) {
    if (finding.severity != Severity::kError) continue;
    const std::string others =
        count == 1 ? "" : " (the first of " + std::to_string(count) + " errors: run tacit check)";
    return InvalidArgument(report.file + ":" + std::to_string(finding.place.line) + ":" +
                               std::to_string(finding.place.column) + ": " + finding.message +
                               others,
                           finding.remedy);
  }
  return Done{};
}

std::string ToText(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += report.file + ":" + std::to_string(finding.place.line) + ":" +
            std::to_string(finding.place.column) + ": " + NameOf(finding.severity) + ": " +
            finding.message + "\n";
    if (!finding.remedy.empty()) text += "    " + finding.remedy + "\n";
  }
  const auto counted = [&report](Severity severity) {
    const int count = report.CountOf(severity);
    return std::to_string(count) + " " + NameOf(severity) + (count == 1 ? "" : "s");
  };
  return text + counted(Severity::kError) + ", " + counted(Severity::kWarning) + ", " +
         counted(Severity::kNote) + "\n";
}

std::string ToJson(const CheckReport& report) {
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"severity", NameOf(finding.severity)},
                        {"line", finding.place.line},
                        {"column", finding.place.column},
                        {"message", finding.message},
                        {"remedy", finding.remedy}});
  }
  const nlohmann::json whole = {{"file", report.file},
                                {"findings", findings},
                                {"errors", report.CountOf(Severity::kError)},
                                {"warnings", report.CountOf(Severity::kWarning)},
                                {"notes", report.CountOf(Severity::kNote)}};
  return whole.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace tacit::owner
