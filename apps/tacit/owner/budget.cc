#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "accounting/zcdp.h"
#include "ledger/inspect.h"
#include "ledger/of_policy.h"
#include "owner/open_ledger.h"
#include "policy/load.h"
#include "tacit/commands.h"
#include "tacit/terminal/text_table.h"

namespace tacit::app {
namespace {

using ledger::Accounting;
using ledger::Balance;
using nlohmann::ordered_json;

// One account as the policy limits it now.
struct Line {
  std::string who;  // empty: the dataset
  std::optional<ledger::Budget> budget;
  Balance balance;
  // Under zcdp: what the rho left would buy by itself at half of the budget's delta.
  std::optional<Rational> epsilon_left;
  int64_t charges = 0;
  std::optional<Integer> more_queries;  // at the default price
};

// How many queries at the policy's default price still fit. The default delta is paid by private
// group keys only, so it is not counted.
Integer QueriesLeft(Accounting accounting, const ledger::Cost& left, const policy::Policy& policy) {
  const Rational& epsilon = policy.privacy.query.epsilon.value;
  if (accounting == Accounting::kPure) return FloorOf(left.epsilon / epsilon);
  return FloorOf(left.rho / (epsilon * epsilon / 2));
}

Result<Line> LineOf(const std::string& who, const std::optional<ledger::Budget>& budget,
                    const std::vector<ledger::Account>& accounts, const policy::Policy& policy) {
  const Accounting accounting = ledger::AccountingOf(policy);
  Line line{.who = who,
            .budget = budget,
            .balance = {},
            .epsilon_left = {},
            .charges = 0,
            .more_queries = {}};
  ledger::Cost spent;
  for (const ledger::Account& account : accounts) {
    if (account.analyst != who) continue;
    spent = account.spent;
    line.charges = account.charges;
  }
  std::optional<ledger::Cost> capacity;
  if (budget) {
    TACIT_TRY(capacity, ledger::CapacityOf(accounting, *budget));
  }
  line.balance = ledger::BalanceUnder(accounting, spent, capacity);
  if (line.balance.left && accounting == Accounting::kZcdp) {
    const Delta half(Rational(budget->delta / 2));
    line.epsilon_left = RationalOf(accounting::ZcdpEpsilonDown(Rho(line.balance.left->rho), half));
  }
  if (line.balance.left) line.more_queries = QueriesLeft(accounting, *line.balance.left, policy);
  return line;
}

// The dataset, the policy's analysts, and those who have spent but are no longer named.
Result<std::vector<Line>> Lines(const policy::Policy& policy) {
  // Opened as for a charge: a ledger that would refuse charges shows no budget either.
  TACIT_TRY(const owner::OpenedLedger opened, owner::OpenLedger(policy));
  TACIT_TRY(const std::vector<ledger::Account> accounts, ledger::ReadAccounts(opened.place));
  std::vector<Line> lines;
  TACIT_TRY(Line dataset, LineOf("", ledger::BudgetOf(policy.privacy.budget), accounts, policy));
  lines.push_back(std::move(dataset));
  for (const policy::Analyst& analyst : policy.analysts) {
    TACIT_TRY(Line line, LineOf(analyst.name, ledger::BudgetOf(analyst.budget), accounts, policy));
    lines.push_back(std::move(line));
  }
  for (const ledger::Account& account : accounts) {
    if (account.analyst.empty() || policy.FindAnalyst(account.analyst) != nullptr) continue;
    TACIT_TRY(Line line, LineOf(account.analyst, std::nullopt, accounts, policy));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string Text(const Rational& value) { return ToString(value); }

enum class Round { kDown, kUp };

// For the eye: exact when that is short, else six digits. What is left is rounded down, what is
// spent up.
std::string Short(const Rational& value, Round direction) {
  const std::string exact = ToString(value);
  if (exact.size() <= 12 || value <= 0) return exact;
  Rational scale = 1;
  while (value * scale < 100000) scale *= 10;
  while (value * scale >= 1000000) scale /= 10;
  const Integer digits = direction == Round::kUp ? CeilOf(value * scale) : FloorOf(value * scale);
  return ToString(Rational(Rational(digits) / scale));
}

std::vector<std::string> RowOf(const Line& line, Accounting accounting) {
  const bool pure = accounting == Accounting::kPure;
  const auto main = [pure](const ledger::Cost& cost, Round direction) {
    return Short(pure ? cost.epsilon : cost.rho, direction);
  };
  const std::optional<ledger::Cost>& left = line.balance.left;
  std::vector<std::string> row = {line.who.empty() ? "dataset" : line.who,
                                  left ? main(*left, Round::kDown) : "-"};
  if (!pure) {
    row.push_back(line.epsilon_left ? Short(*line.epsilon_left, Round::kDown) : "-");
  }
  row.push_back(left ? Short(left->delta, Round::kDown) : "-");
  row.push_back(main(line.balance.spent, Round::kUp));
  row.push_back(Short(line.balance.spent.delta, Round::kUp));
  row.push_back(line.budget
                    ? "(" + Text(line.budget->epsilon) + ", " + Text(line.budget->delta) + ")"
                    : "none: not in the policy");
  row.push_back(std::to_string(line.charges));
  row.push_back(line.more_queries ? line.more_queries->get_str() : "-");
  return row;
}

ordered_json JsonOf(const Line& line) {
  const auto cost = [](const ledger::Cost& value) {
    return ordered_json{
        {"epsilon", Text(value.epsilon)}, {"delta", Text(value.delta)}, {"rho", Text(value.rho)}};
  };
  ordered_json json;
  json["scope"] = line.who.empty() ? "dataset" : "analyst";
  if (!line.who.empty()) json["analyst"] = line.who;
  json["left"] = line.balance.left ? cost(*line.balance.left) : ordered_json(nullptr);
  if (line.epsilon_left) {
    json["left_as"] = {{"epsilon", Text(*line.epsilon_left)},
                       {"delta", Text(Rational(line.budget->delta / 2))}};
  }
  json["spent"] = cost(line.balance.spent);
  json["budget"] = line.budget ? ordered_json{{"epsilon", Text(line.budget->epsilon)},
                                              {"delta", Text(line.budget->delta)}}
                               : ordered_json(nullptr);
  json["charges"] = line.charges;
  json["queries_left"] = line.more_queries && line.more_queries->fits_slong_p()
                             ? ordered_json(line.more_queries->get_si())
                             : ordered_json(nullptr);
  return json;
}

Result<Done> Show(const std::string& folder, const std::string& format) {
  TACIT_TRY(const policy::Policy policy, policy::Load(folder));
  TACIT_TRY(const std::vector<Line> lines, Lines(policy));
  const Accounting accounting = ledger::AccountingOf(policy);
  if (format == "json") {
    ordered_json list = ordered_json::array();
    for (const Line& line : lines) list.push_back(JsonOf(line));
    std::cout << ordered_json{{"accounting", accounting == Accounting::kPure ? "pure" : "zcdp"},
                              {"accounts", list}}
                     .dump(1)
              << "\n";
    return Done{};
  }
  const bool pure = accounting == Accounting::kPure;
  const std::string unit = pure ? "epsilon" : "rho";
  std::vector<std::string> header = {"account", unit + " left"};
  if (!pure) header.push_back("as epsilon");
  for (const std::string& column :
       {std::string("delta left"), unit + " spent", std::string("delta spent"),
        std::string("budget"), std::string("charges"), std::string("more queries")}) {
    header.push_back(column);
  }
  TextTable table(std::move(header));
  for (const Line& line : lines) table.Add(RowOf(line, accounting));
  std::cout << (format == "csv" ? table.Csv() : table.Text());
  if (format == "table" && lines[0].more_queries) {
    std::cout << "\nabout " << lines[0].more_queries->get_str()
              << " more queries at the default price, epsilon "
              << Text(policy.privacy.query.epsilon.value)
              << "; what was answered before is free.\n";
  }
  return Done{};
}

}  // namespace

void AddBudgetCommand(Command app) {
  Command command = app.Subcommand("budget", "what is left, for whom, and how it went");
  struct Flags {
    std::string folder;
    std::string format = "table";
  };
  const auto flags = std::make_shared<Flags>();
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("--format", flags->format, "table, csv or json").OneOf({"table", "csv", "json"});
  command.Footer(
      "examples:\n"
      "  tacit budget clinic\n"
      "  tacit budget clinic --format json\n"
      "how it went, charge by charge: tacit ledger list clinic");
  command.Action([flags] {
    const Result<Done> shown = Show(flags->folder, flags->format);
    return shown.ok() ? kExitDone : Report(shown.error());
  });
}

}  // namespace tacit::app
