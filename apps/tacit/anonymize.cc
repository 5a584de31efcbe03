#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "anonymize/release/verify.h"
#include "tacit/commands.h"
#include "tacit/table_flags.h"

// tacit anonymize: the baseline that differential privacy replaced, and a check of it for any file.

namespace tacit::app {
namespace {

using anonymize::Measures;
using Json = nlohmann::ordered_json;

constexpr const char* kNoGuarantee =
    "This gives no guarantee against what a reader knows already: a second release about the same\n"
    "people, one more fact about a person, or the absence of a value can tell who they are.\n"
    "`tacit attack intersection` and `tacit attack linkage` show it on this very file.";

struct AnonymizeFlags {
  std::string file, out;
  std::vector<std::string> qi, keep;
  std::string sensitive;
  uint32_t k = 0;
  double l = 1;
  std::string l_kind = "distinct";
  double t = 1;
  std::string method = "mondrian";
  std::string format = "table";
  TableFlags table;
};

Result<anonymize::Request> RequestOf(const AnonymizeFlags& flags) {
  anonymize::Request request{
      .quasi_identifiers = flags.qi,
      .sensitive = flags.sensitive,
      .keep = flags.keep,
      .requirement = {.k = std::max(flags.k, 1u), .l = flags.l, .t = flags.t}};
  if (flags.l_kind == "entropy") request.requirement.l_kind = anonymize::LKind::kEntropy;
  if (flags.l_kind == "distinct" && flags.l != std::floor(flags.l)) {
    return InvalidArgument("--l must be a whole number", "--l-kind entropy takes fractions");
  }
  if (flags.method == "redact") request.method = anonymize::Method::kRedact;
  TACIT_TRY(request.rules, ReadColumnRules(flags.table));
  return request;
}

std::string Fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string SizeLabel(size_t step) {
  const uint32_t from = anonymize::kSizeSteps[step];
  if (step + 1 == std::size(anonymize::kSizeSteps)) return std::to_string(from) + " or more";
  const uint32_t to = anonymize::kSizeSteps[step + 1] - 1;
  return from == to ? std::to_string(from) : std::to_string(from) + " to " + std::to_string(to);
}

void PrintMeasures(const Measures& m, const std::vector<std::string>& names) {
  std::printf(
      "rows %llu in %llu classes: smallest %llu, average %s (average partition size), largest "
      "%llu\n",
      static_cast<unsigned long long>(m.rows), static_cast<unsigned long long>(m.classes),
      static_cast<unsigned long long>(m.smallest), Fixed(m.average, 2).c_str(),
      static_cast<unsigned long long>(m.largest));
  std::printf("rows in classes of");
  for (size_t i = 0; i < m.rows_by_size.size(); ++i) {
    if (m.rows_by_size[i] == 0) continue;
    std::printf("  %s: %llu", SizeLabel(i).c_str(),
                static_cast<unsigned long long>(m.rows_by_size[i]));
  }
  std::printf(
      "\na row shares its class with %s rows on average, itself included (discernibility)\n",
      Fixed(m.discernibility, 1).c_str());
  std::printf(
      "information loss %s %% (normalised certainty penalty: 0 %% exact, 100 %% all cells *):",
      Fixed(100 * m.loss, 2).c_str());
  for (size_t i = 0; i < names.size(); ++i) {
    std::printf("%s %s %s %%", i == 0 ? "" : ",", names[i].c_str(),
                Fixed(100 * m.loss_by_column[i], 2).c_str());
  }
  std::printf("\n");
  if (!m.sensitive) return;
  std::printf(
      "sensitive values: at least %u distinct in a class, entropy l %s, t %s; "
      "%s %% of rows are in a class with one value\n",
      m.sensitive->distinct_l, Fixed(m.sensitive->entropy_l, 3).c_str(),
      Fixed(m.sensitive->t, 4).c_str(), Fixed(100 * m.sensitive->rows_with_one_value, 2).c_str());
}

Json JsonOf(const Measures& m, const std::vector<std::string>& names) {
  Json json = {{"rows", m.rows},
               {"classes", m.classes},
               {"k", m.smallest},
               {"largest_class", m.largest},
               {"average_partition_size", m.average},
               {"discernibility", m.discernibility}};
  for (size_t i = 0; i < m.rows_by_size.size(); ++i) {
    json["rows_by_class_size"][SizeLabel(i)] = m.rows_by_size[i];
  }
  json["information_loss"] = {{"measure", "normalised certainty penalty"}, {"mean", m.loss}};
  for (size_t i = 0; i < names.size(); ++i) {
    json["information_loss"]["columns"][names[i]] = m.loss_by_column[i];
  }
  if (m.sensitive) {
    json["sensitive"] = {{"distinct_l", m.sensitive->distinct_l},
                         {"entropy_l", m.sensitive->entropy_l},
                         {"t", m.sensitive->t},
                         {"rows_with_one_value", m.sensitive->rows_with_one_value}};
  }
  json["caution"] = kNoGuarantee;
  return json;
}

void PrintJson(const Json& json) {
  std::printf("%s\n", json.dump(1, ' ', false, Json::error_handler_t::replace).c_str());
}

std::string NamesWith(const anonymize::Table& table, const anonymize::Release& release,
                      anonymize::Role role) {
  std::string names;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (release.roles[i] == role) names += (names.empty() ? "" : ", ") + table.columns[i].name;
  }
  return names;
}

Result<Done> RunAnonymize(const AnonymizeFlags& flags) {
  if (flags.file.empty() || flags.out.empty() || flags.qi.empty() || flags.k == 0) {
    return InvalidArgument("FILE, --qi, --k and --out are needed",
                           "tacit anonymize people.csv --qi age,sex,zip --sensitive illness --k 5 "
                           "--out release.csv");
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(flags.file, flags.out, ignored)) {
    return InvalidArgument("--out is the file that is read", "name another file");
  }
  TACIT_TRY(const anonymize::Request request, RequestOf(flags));
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file, csv));
  TACIT_TRY(const anonymize::Release release, anonymize::Anonymize(table, request));
  TACIT_CHECK(anonymize::WriteRelease(table, release, flags.out));
  const std::string redacted = NamesWith(table, release, anonymize::Role::kRedacted);
  const std::string kept = NamesWith(table, release, anonymize::Role::kKept);
  if (flags.format == "json") {
    Json json = JsonOf(release.measures, request.quasi_identifiers);
    json["out"] = flags.out;
    json["redacted"] = redacted;
    json["kept"] = kept;
    PrintJson(json);
    return Done{};
  }
  std::printf("wrote %s\n", flags.out.c_str());
  PrintMeasures(release.measures, request.quasi_identifiers);
  if (!redacted.empty()) {
    std::printf("redacted (named nowhere; --keep releases a column as it is): %s\n",
                redacted.c_str());
  }
  if (!kept.empty()) {
    std::printf("kept as they are, and not looked at: %s\n", kept.c_str());
  }
  std::printf("\n%s\n", kNoGuarantee);
  return Done{};
}

// True when everything asked for holds.
Result<bool> RunVerify(const AnonymizeFlags& flags) {
  TACIT_TRY(const anonymize::Request request, RequestOf(flags));
  TACIT_TRY(const anonymize::CsvOptions csv, ReadCsvOptions(flags.table));
  TACIT_TRY(const anonymize::Table table, anonymize::ReadCsv(flags.file, csv));
  TACIT_TRY(const anonymize::Verified verified, anonymize::Verify(table, request));
  if (flags.format == "json") {
    Json json = JsonOf(verified.measures, request.quasi_identifiers);
    json["holds"] = verified.broken.empty();
    json["broken"] = verified.broken;
    PrintJson(json);
    return verified.broken.empty();
  }
  PrintMeasures(verified.measures, request.quasi_identifiers);
  for (const std::string& broken : verified.broken) std::printf("BROKEN: %s\n", broken.c_str());
  if (verified.broken.empty() && (flags.k > 0 || request.requirement.LooksAtSensitive())) {
    std::printf("what was asked for holds\n");
  }
  std::printf("\n%s\n", kNoGuarantee);
  return verified.broken.empty();
}

void AddCommonFlags(Command command, AnonymizeFlags& flags) {
  command.Value("--qi", flags.qi, "quasi-identifiers: the columns a reader may know").Commas();
  command.Value("--sensitive", flags.sensitive, "the column a reader must not learn");
  command.Value("--k", flags.k, "at least so many rows look alike").Between(1, 1'000'000'000);
  command.Value("--l", flags.l, "at least so many sensitive values in a class");
  command.Value("--l-kind", flags.l_kind, "distinct or entropy").OneOf({"distinct", "entropy"});
  command.Value("--t", flags.t,
                "a class's sensitive values are at most so far from the table's (0 to 1)");
  command.Value("--format", flags.format, "table or json").OneOf({"table", "json"});
  AddTableFlags(command, flags.table);
}

constexpr const char* kAnonymizeExamples = R"(
Examples:
  tacit anonymize people.csv --qi age,sex,zip --sensitive illness --k 5 --out release.csv
  tacit anonymize people.csv --qi age,education --hierarchy education=levels.csv --k 10 --out r.csv
  tacit anonymize verify release.csv --qi age,sex,zip --sensitive illness --k 5 --l 2

Numbers become ranges (20..30), categories sets ({a|b}) or groups of a declared hierarchy. Columns
that no flag names are redacted. FILE is CSV with headings.)";

}  // namespace

void AddAnonymizeCommand(Command app) {
  auto flags = std::make_shared<AnonymizeFlags>();
  Command command = app.Subcommand(
      "anonymize", "Make a table k-anonymous, l-diverse or t-close: the baseline that fails");
  command.Footer(kAnonymizeExamples);
  command.Value("file", flags->file, "the table, as CSV");
  command.Value("--out", flags->out, "the file to write; whole or not at all");
  command.Value("--keep", flags->keep, "columns to release as they are").Commas();
  command.Value("--method", flags->method, "mondrian (coarsen cells) or redact (leave columns out)")
      .OneOf({"mondrian", "redact"});
  AddCommonFlags(command, *flags);

  auto verify_flags = std::make_shared<AnonymizeFlags>();
  Command verify =
      command.Subcommand("verify", "Say what a released file fulfils, whoever made it");
  verify.Footer(
      "Exit code 1 when --k, --l or --t does not hold. A suppressed cell is a value of its own.");
  verify.Value("file", verify_flags->file, "the released table, as CSV").Required();
  AddCommonFlags(verify, *verify_flags);
  verify.Action([verify_flags] {
    const Result<bool> holds = RunVerify(*verify_flags);
    return !holds.ok() ? Report(holds.error()) : *holds ? kExitDone : kExitFailed;
  });
  command.Action([flags] {
    const Result<Done> done = RunAnonymize(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
