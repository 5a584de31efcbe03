#include <sys/stat.h>

#include "ledger/inspect.h"
#include "ledger/of_policy.h"
#include "owner/check/rules.h"
#include "owner/keys/guarded_files.h"

namespace tacit::owner {
namespace {

using policy::Policy;

void CheckThere(const std::string& path, const char* what, Findings& findings) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return;
  Add(findings, Severity::kError, {1, 1}, std::string(what) + " " + path + " is missing",
      "restore it from a backup, or make a new deployment with `tacit init`: it is never made "
      "anew beside a policy that is in use");
}

// Under zcdp a price is a rho, and so is what the budget holds.
void CheckPricesInRho(const Policy& policy, Findings& findings) {
  const policy::Privacy& privacy = policy.privacy;
  for (const policy::Analyst& analyst : policy.analysts) {
    if (analyst.budget.delta.value > 0) continue;
    Add(findings, Severity::kError, analyst.place,
        "analyst " + analyst.name + " has no delta: under zcdp nothing can be asked without one",
        "write a delta like the data's, " + ToString(privacy.budget.delta.value) +
            ", into the analyst's budget");
  }
  const Result<ledger::Cost> all =
      ledger::CapacityOf(ledger::AccountingOf(policy), ledger::BudgetOf(privacy.budget));
  if (!all.ok()) return;
  if (RhoOfPure(privacy.query.epsilon).value > all->rho) {
    Add(findings, Severity::kWarning, privacy.query.place,
        "a plain query costs more than the whole budget", "lower query.epsilon");
  } else if (RhoOfPure(privacy.query.epsilon_max).value > all->rho) {
    const Rational most = SquareRootUp(Rational(all->rho * 2));
    const Rational example =
        ShortestWithin(Rational(most * Rational(9, 10)), Rational(most * Rational(99, 100)));
    Add(findings, Severity::kNote, privacy.query.place,
        "a query at epsilon_max " + ToString(privacy.query.epsilon_max.value) +
            " costs more than the whole budget: under zcdp its rho is half its square",
        "lower epsilon_max, to " + ToString(example) + " for example");
  }
}

}  // namespace

void CheckPrices(const Policy& policy, Findings& findings) {
  const policy::Privacy& privacy = policy.privacy;
  if (privacy.query.epsilon_max.value > 10) {
    Add(findings, Severity::kWarning, privacy.query.place,
        "EPSILON_MAX " + ToString(privacy.query.epsilon_max.value) +
            ": ONE QUERY MAY ASK FOR A NEARLY EXACT ANSWER ABOUT A SINGLE PERSON",
        "keep epsilon_max at 1 or below; a larger one is for tests on data that is not secret");
  }
  if (privacy.budget.epsilon.value > 10) {
    Add(findings, Severity::kWarning, privacy.budget_place,
        "the budget's epsilon " + ToString(privacy.budget.epsilon.value) +
            " is above 10: all answers together promise hardly anything",
        "below 1 protects strongly; choose the smallest that your questions can live with");
  }
  const bool pure = privacy.accounting == policy::Accounting::kPure;
  if (!pure) CheckPricesInRho(policy, findings);
  if (pure && privacy.budget.epsilon < privacy.query.epsilon) {
    Add(findings, Severity::kWarning, privacy.query.place,
        "a plain query costs more than the whole budget", "lower query.epsilon");
  }
  if (privacy.budget.delta < privacy.query.delta) {
    Add(findings, Severity::kWarning, privacy.query.place,
        "a query's delta is above the budget's: no query with private group keys will fit",
        "lower query.delta");
  }
  if (privacy.budget.delta.value > MakeRational(1, 100'000)) {
    Add(findings, Severity::kWarning, privacy.budget_place,
        "the budget's delta " + ToString(privacy.budget.delta.value) + " is above 1e-5",
        "delta is the chance that the promise fails altogether: keep it far below one in the "
        "number of people");
  }
  for (const policy::Analyst& analyst : policy.analysts) {
    if (privacy.budget.epsilon < analyst.budget.epsilon) {
      Add(findings, Severity::kNote, analyst.place,
          "analyst " + analyst.name + " has a larger budget than the data",
          "the smaller of the two ends the questions");
    }
  }
}

void CheckDeclarations(const Policy& policy, Findings& findings) {
  for (const policy::Table& table : policy.tables) {
    if (table.is_public) continue;
    const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit);
    if (unit != nullptr && !table.IsHidden(unit->column)) {
      Add(findings, Severity::kNote, table.unit_place,
          table.name + "." + unit->column +
              " names people and is not hidden: filters on it are "
              "answered, with noise",
          "add " + unit->column + ": {hidden: true} under columns");
    }
    if (table.groups_per_unit > table.rows_per_unit || table.rows_per_group > table.rows_per_unit) {
      Add(findings, Severity::kNote, table.place,
          "a group cap of " + table.name + " is above rows_per_unit and changes nothing",
          "lower it, or leave it out");
    }
    for (const policy::Column& column : table.columns) {
      const std::string name = table.name + "." + column.name;
      if (column.hidden && (column.keys || column.bounds)) {
        Add(findings, Severity::kWarning, column.place,
            name + " is hidden: its bounds or keys are never used", "remove them, or hidden");
      }
      if (column.bounds &&
          (abs(column.bounds->low) >= 1'000'000'000 || abs(column.bounds->high) >= 1'000'000'000)) {
        Add(findings, Severity::kWarning, column.place,
            "the bounds of " + name + " are very wide: the noise of a sum grows with them",
            "bounds ten times narrower make answers ten times more accurate; values outside are "
            "clamped");
      }
    }
  }
}

void CheckFiles(const Policy& policy, Findings& findings) {
  CheckThere(policy.KeyPath(), "the secret key", findings);
  if (const auto* ledger = std::get_if<policy::SqliteLedger>(&policy.ledger)) {
    CheckThere(ledger->path, "the ledger", findings);
  }
  if (const auto* ledger = std::get_if<policy::PostgresLedger>(&policy.ledger)) {
    struct stat status {};
    const std::string head = ledger->path + "-head";
    if (::stat(head.c_str(), &status) != 0) {
      Add(findings, Severity::kError, {1, 1}, "the ledger's head file " + head + " is missing",
          "a gateway's first time: tacit ledger create, or tacit ledger join where another gateway "
          "uses the ledger; otherwise put it back from where it was moved to");
    }
  }
  if (const auto* engine = std::get_if<policy::DuckdbSettings>(&policy.engine)) {
    if (engine->ReadsFiles()) {
      CheckFileModes(*engine, findings);
    } else {
      CheckThere(engine->path, "the database", findings);
    }
  }
  for (const FileGuard& file : GuardedFilesOf(policy)) {
    const Result<Done> guarded = CheckGuard(file);
    if (guarded.ok()) continue;
    Add(findings, Severity::kError, {1, 1}, guarded.error().public_message, guarded.error().hint);
  }
}

void CheckLedger(const Policy& policy, Findings& findings) {
  const Result<Done> fits = ledger::CheckDeclarations(
      ledger::PlaceOf(policy), ledger::DeclarationsOf(policy), ledger::PublicTablesOf(policy));
  // A ledger that is missing or damaged is found where it is opened.
  if (fits.ok() || fits.error().code != ErrorCode::kRefused) return;
  Add(findings, Severity::kError, {1, 1}, fits.error().public_message, fits.error().hint);
}

}  // namespace tacit::owner
