#include "owner/check.h"

#include <gtest/gtest.h>

#include "owner/check/rules.h"
#include "owner/testing/folder.h"

namespace tacit::owner {
namespace {

using testing::Folder;

// "warning 11: the bounds of ..." for every finding.
std::string TextOf(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    EXPECT_FALSE(finding.remedy.empty()) << finding.message << ": what to do is always said";
    text += (finding.severity == Severity::kError     ? "error "
             : finding.severity == Severity::kWarning ? "warning "
                                                      : "note ") +
            std::to_string(finding.place.line) + ": " + finding.message + "\n";
  }
  return text;
}

std::string DeclarationsOf(const std::string& tables) {
  const Folder folder;
  Findings findings;
  CheckDeclarations(folder.PolicyWith(tables), findings);
  return TextOf(findings);
}

std::string SchemaFindingsOf(const std::string& tables) {
  const Folder folder;
  const policy::Schema schema{{{"people",
                                {{"id", kIntegerType},
                                 {"age", kIntegerType},
                                 {"name", kTextType},
                                 {"born", kDateType},
                                 {"seen", ValueType{.kind = TypeKind::kTimestampTz}},
                                 {"tags", kOpaqueType}}},
                               {"visits", {{"person", kTextType}, {"people_id", kIntegerType}}}}};
  Findings findings;
  CheckSchema(folder.PolicyWith(tables), schema, findings);
  return TextOf(findings);
}

TEST(CheckRules, PricesThatPromiseNothingAreNamed) {
  const Folder folder;
  const auto prices = [&](const std::string& from, const std::string& to) {
    std::string text = policy::testing::SampleWith(testing::kPeople);
    text.replace(text.find(from), from.size(), to);
    Findings findings;
    CheckPrices(policy::Parse(text, folder.File("tacit.yaml")).value(), findings);
    return TextOf(findings);
  };
  EXPECT_EQ(prices("epsilon: 3", "epsilon: 3"), "");
  EXPECT_NE(prices("epsilon: 3", "epsilon: 11").find("above 10"), std::string::npos);
  EXPECT_NE(prices("delta: 1e-6", "delta: 2e-5").find("above 1e-5"), std::string::npos);
  EXPECT_NE(prices("epsilon_max: 1", "epsilon_max: 11").find("NEARLY EXACT"), std::string::npos);
  EXPECT_NE(prices("epsilon: 3", "epsilon: 0.01").find("more than the whole budget"),
            std::string::npos);
  EXPECT_NE(prices("delta: 1e-6", "delta: 1e-10").find("no query with private group keys"),
            std::string::npos);
}

TEST(CheckRules, UnderZcdpPricesAreComparedInRho) {
  const testing::Folder folder;
  const auto prices = [&](const std::string& from, const std::string& to) {
    std::string text = policy::testing::SampleWith(testing::kPeople);
    const std::string pure = "accounting: pure";
    text.replace(text.find(pure), pure.size(), "accounting: zcdp");
    text.replace(text.find(from), from.size(), to);
    Findings findings;
    CheckPrices(policy::Parse(text, folder.File("tacit.yaml")).value(), findings);
    return TextOf(findings);
  };
  EXPECT_NE(prices("epsilon: 3", "epsilon: 3").find("its rho is half its square"),
            std::string::npos)
      << "rho 0.5 of 0.176";
  EXPECT_EQ(prices("epsilon_max: 1", "epsilon_max: 0.5"), "");
  EXPECT_NE(prices("epsilon: 3", "epsilon: 0.3").find("more than the whole budget"),
            std::string::npos);
}

TEST(CheckRules, DeclarationsThatMeanNothingOrTooMuchAreNamed) {
  EXPECT_EQ(
      DeclarationsOf("  people: {unit: id, rows_per_unit: 1, columns: {id: {hidden: true}}}\n"),
      "");
  EXPECT_NE(DeclarationsOf("  people: {unit: id, rows_per_unit: 1}\n").find("is not hidden"),
            std::string::npos);
  EXPECT_NE(
      DeclarationsOf("  people: {unit: row, columns: {x: {bounds: [0, 1e9]}}}\n").find("very wide"),
      std::string::npos);
  EXPECT_NE(DeclarationsOf("  people: {unit: row, columns: {x: {hidden: true, bounds: [0, 1]}}}\n")
                .find("never used"),
            std::string::npos);
}

TEST(CheckRules, NamesAndTypesAreComparedWithTheDatabase) {
  const std::string visits = "  visits: {public: true}\n";
  const std::string start = "  people: {unit: id, rows_per_unit: 1, columns: {";
  EXPECT_EQ(SchemaFindingsOf(start + "age: {bounds: [0, 120]}}}\n" + visits), "");
  EXPECT_NE(SchemaFindingsOf(start + "agee: {}}}\n" + visits)
                .find("error 10: table people has no column agee"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf(start + "name: {bounds: [0, 1]}}}\n" + visits).find("no number"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf(start + "age: {keys: [young]}}}\n" + visits).find("is no number"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf(start + "born: {keys: [spring]}}}\n" + visits).find("is no date"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf(start + "tags: {required: true}}}\n" + visits).find("has no rules"),
            std::string::npos);
  const std::string days = ": {keys: {from: 2024-01-01, to: 2024-12-31, step: day}}}}\n";
  EXPECT_EQ(SchemaFindingsOf(start + "born" + days + visits), "");
  EXPECT_NE(SchemaFindingsOf(start + "seen" + days + visits).find("days of a calendar, but"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf(start + "name" + days + visits).find("days of a calendar, but"),
            std::string::npos);
  EXPECT_EQ(SchemaFindingsOf(start + "age: {keys: [\"1\", 2]}}}\n" + visits), "");
  EXPECT_NE(SchemaFindingsOf("  people: {unit: id, rows_per_unit: 1}\n").find("not in the policy"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf("  people: {unit: id, rows_per_unit: 1}\n" + visits +
                             "  nobody: {public: true}\n")
                .find("error 12: there is no table nobody"),
            std::string::npos);
  EXPECT_NE(SchemaFindingsOf("  people: {unit: id, rows_per_unit: 1}\n"
                             "  visits: {unit: {via: person, to: people.id}, rows_per_unit: 2}\n")
                .find("of another type"),
            std::string::npos);
}

TEST(Check, APolicyThatDoesNotLoadIsOneErrorAtItsPlace) {
  const Folder folder;
  folder.Write("tacit.yaml", policy::testing::SampleWith("  people: {unit: id, rows: 1}\n"), 0644);
  const CheckReport report = Check(folder.path());
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].severity, Severity::kError);
  EXPECT_EQ(report.findings[0].place.line, 10);
  const std::string text = ToText(report);
  EXPECT_EQ(text.find(folder.File("tacit.yaml:10:")), 0u) << text;
  EXPECT_NE(text.find("1 error, 0 warnings, 0 notes\n"), std::string::npos) << text;
}

TEST(Check, MissingFilesAreErrorsAndNothingIsMade) {
  const Folder folder;
  folder.Write("tacit.yaml", policy::testing::SampleWith(testing::kPeople), 0644);
  const std::string text = ToText(Check(folder.path()));
  for (const char* what : {"the secret key", "the ledger", "the database"}) {
    EXPECT_NE(text.find(std::string("error: ") + what), std::string::npos) << what << "\n" << text;
  }
  EXPECT_FALSE(std::filesystem::exists(folder.File("tacit.key")));
  EXPECT_FALSE(std::filesystem::exists(folder.File("ledger.sqlite")));
  EXPECT_FALSE(std::filesystem::exists(folder.File("data.duckdb")));
}

}  // namespace
}  // namespace tacit::owner
