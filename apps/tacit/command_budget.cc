#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "ledger/inspect.h"
#include "ledger/of_policy.h"
#include "policy/load.h"
#include "text_table.h"

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
  Line line{.who = who, .budget = budget, .balance = {}, .charges = 0, .more_queries = {}};
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
  if (line.balance.left) line.more_queries = QueriesLeft(accounting, *line.balance.left, policy);
  return line;
}

// The dataset, the policy's analysts, and those who have spent but are no longer named.
Result<std::vector<Line>> Lines(const policy::Policy& policy) {
  TACIT_TRY(const std::string path, ledger::PathOf(policy));
  // Opened as for a charge: a ledger that would refuse charges shows no budget either.
  TACIT_CHECK(ledger::Ledger::Open(path));
  TACIT_TRY(const std::vector<ledger::Account> accounts, ledger::ReadAccounts(path));
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

std::vector<std::string> RowOf(const Line& line, Accounting accounting) {
  const bool pure = accounting == Accounting::kPure;
  const auto main = [pure](const ledger::Cost& cost) {
    return Text(pure ? cost.epsilon : cost.rho);
  };
  const std::string who = line.who.empty() ? "dataset" : line.who;
  const std::string left = line.balance.left ? main(*line.balance.left) : "-";
  const std::string left_delta = line.balance.left ? Text(line.balance.left->delta) : "-";
  const std::string budget =
      line.budget ? "(" + Text(line.budget->epsilon) + ", " + Text(line.budget->delta) + ")"
                  : "none: not in the policy";
  return {who,
          left,
          left_delta,
          main(line.balance.spent),
          Text(line.balance.spent.delta),
          budget,
          std::to_string(line.charges),
          line.more_queries ? line.more_queries->get_str() : "-"};
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
  const std::string unit = accounting == Accounting::kPure ? "epsilon" : "rho";
  TextTable table({"account", unit + " left", "delta left", unit + " spent", "delta spent",
                   "budget", "charges", "more queries"});
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

void AddBudgetCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("budget", "what is left, for whom, and how it went");
  struct Flags {
    std::string folder;
    std::string format = "table";
  };
  const auto flags = std::make_shared<Flags>();
  command->add_option("DIR", flags->folder, "the folder with tacit.yaml, or the policy file")
      ->required();
  command->add_option("--format", flags->format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}));
  command->footer(
      "examples:\n"
      "  tacit budget clinic\n"
      "  tacit budget clinic --format json\n"
      "how it went, charge by charge: tacit ledger list clinic");
  command->callback([flags, &exit_code] {
    const Result<Done> shown = Show(flags->folder, flags->format);
    exit_code = shown.ok() ? kExitDone : Report(shown.error());
  });
}

}  // namespace tacit::app
