#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/whole_file.h"
#include "gateway/advice/advice.h"
#include "gateway/answer_query.h"
#include "gateway/deployment/deployment.h"
#include "owner/data/change.h"
#include "owner/edit_policy.h"
#include "policy/edit.h"
#include "tacit/commands.h"
#include "tacit/terminal/interrupt.h"
#include "tacit/terminal/text_table.h"

// tacit advise: what is still to be decided, what each choice means for the error, and, for a
// price, how many people a cap or a bound would cut.

namespace tacit::app {
namespace {

struct AdviseFlags {
  std::string folder;
  std::vector<std::string> questions;
  std::string epsilon;
  std::vector<std::string> set;
  bool write = false;
};

// A line of the policy: where it belongs, and what it says.
struct Decision {
  std::vector<std::string> path;
  std::string value;

  // "visits: rows_per_unit: 5", "people: age: {bounds: [0, 120]}"
  std::string Text() const {
    const std::string word = path.back() + ": " + value;
    if (path.size() == 3) return path[1] + ": " + word;
    return path[1] + ": " + policy::YamlText(path[3]) + ": {" + word + "}";
  }
};

// TABLE.rows_per_unit=5 or TABLE.COLUMN.bounds=[0, 120]; names may be quoted, as in SQL.
Result<Decision> ReadDecision(const std::string& text) {
  std::vector<std::string> names(1);
  bool quoted = false;
  size_t at = 0;
  for (; at < text.size() && (quoted || text[at] != '='); ++at) {
    if (text[at] == '"') {
      quoted = !quoted;
    } else if (text[at] == '.' && !quoted) {
      names.emplace_back();
    } else {
      names.back() += text[at];
    }
  }
  if (at == text.size() || at + 1 == text.size() || names.size() < 2 || names.size() > 3) {
    return InvalidArgument("--set " + text + " is no line of a policy",
                           "for example --set visits.rows_per_unit=5, --set "
                           "'patients.age.bounds=[0, 120]', --set 'patients.sex.keys=[F, M]'");
  }
  Decision decision{.path = {"tables", names[0]}, .value = text.substr(at + 1)};
  if (names.size() == 3) decision.path.insert(decision.path.end(), {"columns", names[1]});
  decision.path.push_back(names.back());
  return decision;
}

// All of them or none, and nothing else of the file is changed.
Result<Done> WriteDecisions(const std::string& folder, const std::vector<Decision>& decisions) {
  TACIT_TRY(const policy::Policy written,
            owner::EditPolicy(
                folder,
                [&](const std::string& text, const policy::Policy& policy) -> Result<std::string> {
                  std::string edited = text;
                  for (const Decision& one : decisions) {
                    if (policy.Find(one.path[1]) == nullptr) {
                      return InvalidArgument("the policy has no table " + one.path[1]);
                    }
                    TACIT_TRY(edited, policy::WithValue(edited, one.path, one.value));
                  }
                  return edited;
                }));
  for (const Decision& one : decisions) {
    std::printf("written into %s:  %s\n", written.file.c_str(), one.Text().c_str());
  }
  return Done{};
}

void PrintOpen(const policy::Policy& policy, const policy::Schema& schema) {
  const std::string text = WholeFile(policy.file).value_or("");
  int number = 0;
  bool any = false;
  for (const std::string_view line : LinesOf(text)) {
    ++number;
    const size_t at = line.find("DECIDE");
    if (at == std::string_view::npos) continue;
    any = true;
    std::printf("%s:%d: %s\n", policy.file.c_str(), number, std::string(line.substr(at)).c_str());
  }
  for (const gateway::OpenDecision& open : gateway::OpenDecisions(policy, schema)) {
    any = true;
    std::printf("%s: %s\n    %s\n", At(policy, open.place).c_str(), open.what.c_str(),
                open.lines.c_str());
  }
  if (!any) std::printf("nothing is left to decide\n");
}

// Without questions of the owner's: one that every table is asked.
std::vector<std::string> QuestionsOf(const AdviseFlags& flags, const policy::Policy& policy) {
  if (!flags.questions.empty()) return flags.questions;
  std::vector<std::string> questions;
  for (const policy::Table& table : policy.tables) {
    if (!table.is_public) questions.push_back("SELECT count(*) FROM \"" + table.name + "\"");
  }
  return questions;
}

Result<Done> PrintErrors(const AdviseFlags& flags, const policy::Policy& policy,
                         const policy::Schema& schema) {
  for (const std::string& question : QuestionsOf(flags, policy)) {
    TACIT_TRY(const std::vector<gateway::WhatIf> all, gateway::ErrorsOf(question, policy, schema));
    TextTable table({"if", "95 of 100 answers are within"});
    for (const gateway::WhatIf& one : all) {
      table.Add({one.change.empty() ? "as it is" : one.change, one.error});
    }
    std::printf("\n%s\n%s", question.c_str(), table.Text().c_str());
  }
  return Done{};
}

double NumberOf(const engine::Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? 0 : *real;
}

std::string Shown(double number) { return std::to_string(std::llround(number)); }

// The people of each group, from 0 on.
std::vector<double> Bands(const gateway::PeopleQuestion& question, const answer::Answer& answer) {
  std::vector<double> people(question.above.size() + 1);
  for (const std::vector<engine::Value>& row : answer.rows) {
    const auto band = static_cast<size_t>(NumberOf(row.at(0)));
    if (band < people.size()) people[band] = NumberOf(row.at(1));
  }
  return people;
}

// The line that cuts little, if a candidate does.
std::optional<Decision> PrintPeople(const gateway::PeopleQuestion& question,
                                    const answer::Answer& answer, const policy::Privacy& privacy) {
  const double moe = answer.columns[1].error ? answer.columns[1].error->moe95.get_d() : 0;
  const gateway::Weighed weighed = Weigh(question, Bands(question, answer), moe, privacy);
  std::vector<std::string> titles = {question.about, "people, with noise", "+-"};
  if (question.cuts_sums) titles.insert(titles.end(), {"cut off", "noise of a total, +-"});
  TextTable table(titles);
  for (size_t i = 0; i < question.above.size(); ++i) {
    const gateway::Candidate& one = weighed.candidates[i];
    std::vector<std::string> cells = {question.above[i], Shown(one.people_above),
                                      Shown(one.people_moe)};
    if (question.cuts_sums) cells.insert(cells.end(), {Shown(one.cut), Shown(one.noise_moe)});
    table.Add(cells);
  }
  std::printf("\n%s", table.Text().c_str());
  if (!weighed.chosen) {
    std::printf("  every candidate cuts more than one person in a hundred\n");
    return std::nullopt;
  }
  Decision decision{.path = question.path, .value = question.value};
  decision.value.replace(decision.value.find('$'), 1, question.above[*weighed.chosen]);
  std::printf(
      "  %s, as far as the noise shows:  %s\n",
      question.cuts_sums
          ? "cuts one person in a hundred or fewer, and has the least noise and cut together"
          : "cuts one person in a hundred or fewer",
      decision.Text().c_str());
  return decision;
}

// One charge a question, carried out as every other; the price is shared by all of them.
Result<Done> AskPeople(const AdviseFlags& flags, const policy::Policy& policy,
                       const policy::Schema& schema, Interrupt& interrupt) {
  TACIT_TRY(const Rational total, ReadNumber("--epsilon", flags.epsilon));
  TACIT_CHECK(CheckedEpsilon(total, "--epsilon"));
  const std::vector<gateway::PeopleQuestion> questions = gateway::PeopleQuestions(policy, schema);
  if (questions.empty()) {
    std::printf("\nno table has a cap or a number to count people for\n");
    return Done{};
  }
  std::vector<Decision> decisions;
  const Rational each = total / static_cast<long>(questions.size());
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::OpenWith(gateway::Widened(policy)));
  gateway::Services services = deployment->ForThisThread();
  const SaysWhatWasCharged says(interrupt, services.ledger);
  for (const gateway::PeopleQuestion& question : questions) {
    gateway::Request request{.text = question.sql, .analyst = "", .request_id = "", .wish = {}};
    request.wish.epsilon = CheckedEpsilon(each).value();
    const Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
    if (!answer.ok() && answer.error().code != ErrorCode::kRefused) return answer.error();
    if (!answer.ok()) {
      std::printf("\n%s: %s\n", question.about.c_str(), answer.error().public_message.c_str());
      continue;
    }
    if (const std::optional<Decision> one = PrintPeople(question, *answer, policy.privacy)) {
      decisions.push_back(*one);
    }
  }
  std::printf("\ncharged to the dataset: epsilon %s at most, %s a question\n",
              ToString(total).c_str(), ToString(each).c_str());
  if (flags.write) return WriteDecisions(flags.folder, decisions);
  if (!decisions.empty()) std::printf("the policy is as it was: --write writes these lines\n");
  return Done{};
}

Result<Done> Advise(const AdviseFlags& flags) {
  Interrupt interrupt("stopped; nothing was charged");
  if (flags.write && flags.epsilon.empty()) {
    return InvalidArgument("--write writes what --epsilon finds, and there is no --epsilon",
                           "--set TABLE.COLUMN.bounds='[LOW, HIGH]' writes what you know");
  }
  if (!flags.set.empty()) {
    std::vector<Decision> decisions;
    for (const std::string& text : flags.set) {
      TACIT_TRY(Decision decision, ReadDecision(text));
      decisions.push_back(std::move(decision));
    }
    TACIT_CHECK(WriteDecisions(flags.folder, decisions));
  }
  TACIT_TRY(const policy::Policy policy, owner::LoadDeployment(flags.folder));
  TACIT_TRY(const std::unique_ptr<gateway::Deployment> deployment,
            gateway::Deployment::OpenWith(policy));
  const policy::Schema schema = deployment->ForThisThread().schema;
  PrintOpen(policy, schema);
  TACIT_CHECK(PrintErrors(flags, policy, schema));
  if (flags.epsilon.empty()) {
    std::printf(
        "\nno row was read. --epsilon E pays for noisy numbers of people above caps and "
        "bounds\n");
    return Done{};
  }
  return AskPeople(flags, policy, schema, interrupt);
}

}  // namespace

void AddAdviseCommand(Command app) {
  auto flags = std::make_shared<AdviseFlags>();
  Command command = app.Subcommand("advise", "what is to be decided, and what each choice means");
  command.Footer(
      "examples:\n"
      "  tacit advise clinic\n"
      "  tacit advise clinic --question \"SELECT avg(cost) FROM visits\"\n"
      "  tacit advise clinic --set visits.rows_per_unit=10 --set 'visits.cost.bounds=[0, 5000]'\n"
      "  tacit advise clinic --epsilon 0.1 --write\n"
      "Lists what the policy leaves open, and for each question how far off its answers would be "
      "with\n"
      "other prices, caps and bounds. That reads names and types, and no row. With --epsilon "
      "noisy\n"
      "numbers of people above public candidates are asked, charged to the dataset's account like "
      "any\n"
      "question, and lines for the policy are printed; --write writes them. --set writes lines of "
      "your\n"
      "own. Comments and everything else of the policy stay.");
  command.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  command.Value("--question", flags->questions, "a question that you plan to ask; may be repeated")
      .OneAtATime();
  command.Value("--epsilon", flags->epsilon, "pay so much in all for numbers of people").NotEmpty();
  command
      .Value("--set", flags->set,
             "write a line into the policy: TABLE.rows_per_unit=N, TABLE.COLUMN.bounds=[LOW, HIGH]")
      .OneAtATime();
  command.Switch("--write", flags->write, "write the lines that --epsilon suggests");
  command.Action([flags] {
    const Result<Done> done = Advise(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
