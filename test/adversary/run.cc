#include "run.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "shrink.h"

namespace tacit::adversary {

namespace {

// An assertion that a query reaches ends the gateway for everyone, so it is a violation as well.
// What to print then is made before it can happen.
std::string in_case_of_abort;

void PrintAtAbort(int) {
  if (::write(STDOUT_FILENO, in_case_of_abort.data(), in_case_of_abort.size()) < 0) std::_Exit(3);
  std::signal(SIGABRT, SIG_DFL);
}

}  // namespace

Stage& Run::StageOf(const Scene& scene) {
  const auto found = stages_.find(scene.number);
  return found != stages_.end()
             ? found->second
             : stages_.emplace(scene.number, Stage(scene, wishes_.rows)).first->second;
}

bool Run::Go() {
  std::signal(SIGABRT, PrintAtAbort);
  for (uint64_t i = 0; violations_ < wishes_.violations_max; ++i) {
    const auto now = std::chrono::steady_clock::now();
    if (wishes_.minutes ? now - started_ >= *wishes_.minutes : i >= wishes_.queries) break;
    One(wishes_.first + i);
    ShowProgress(i);
  }
  if (violations_ > 0) return false;
  return LedgersAreEqual();
}

void Run::One(uint64_t query) {
  const Scene& scene = Scenes()[query % std::min(wishes_.scenes, Scenes().size())];
  Stage& stage = StageOf(scene);
  const Question question = Write(Choices(wishes_.seed, query), scene);
  in_case_of_abort = "\nVIOLATION: adversary --seed " + std::to_string(wishes_.seed) + " --query " +
                     std::to_string(query) + "\n  abort\n  query: " + question.text + "\n";
  const Outcome outcome = Try(question, scene, stage, query);
  statistics_.Add(question, outcome);
  if (wishes_.shows) {
    std::cout << query << " " << (outcome.accepted ? "accepted" : outcome.refused_by) << ": "
              << question.text << std::endl;
  }
  if (outcome.violations.empty()) return;
  ++violations_;
  if (!found_) found_ = query;
  if (!wishes_.quiet) Report(question, scene, stage, query, outcome);
  // What failed on one side only may have left the ledgers unequal.
  const std::string& kind = outcome.violations[0].kind;
  const bool both_failed = kind.starts_with("fault") && outcome.violations.size() == 2;
  if (kind != "release" && kind != "hidden" && !both_failed) stages_.erase(scene.number);
}

bool Run::Ask(const std::string& text) {
  Question question;
  question.text = text;
  wishes_.shrinks = false;
  for (const Scene& scene : Scenes()) {
    if (scene.number >= wishes_.scenes) break;
    Stage& stage = StageOf(scene);
    const Outcome outcome = Try(question, scene, stage, scene.number);
    std::cout << scene.number << " (" << scene.step->who << "; " << scene.terms
              << "): " << (outcome.refused_by.empty() ? "answered" : outcome.refused_by) << "\n";
    if (outcome.violations.empty()) continue;
    ++violations_;
    Report(question, scene, stage, scene.number, outcome);
  }
  return violations_ == 0;
}

void Run::Report(const Question& question, const Scene& scene, Stage& stage, uint64_t query,
                 const Outcome& outcome) {
  std::cout << "\nVIOLATION: adversary --seed " << wishes_.seed << " --query " << query
            << (wishes_.rows == Rows::kInPostgres ? " --engine postgres" : "") << "\n";
  for (const Violation& violation : outcome.violations) {
    std::cout << "  " << violation.kind << ": " << violation.text << "\n";
  }
  std::cout << "  query: " << question.text << "\n";
  if (wishes_.shrinks) {
    const Question simpler = Shrink(question, outcome.violations[0].kind, scene, stage, query);
    std::cout << "  shrunk: " << simpler.text << "\n";
    for (const Violation& violation : Try(simpler, scene, stage, query + 1000).violations) {
      std::cout << "    " << violation.kind << ": " << violation.text << "\n";
    }
  }
  std::cout << "  policy: world/policy.yaml, " << scene.terms
            << (scene.prepared ? ", prepared" : "")
            << "\n  databases: world/schema.sql and rows.sql; " << scene.step->who
            << (scene.step->first ? ", before everybody else" : "")
            << "\n    one: " << scene.step->added << "\n    other: " << scene.step->removed
            << std::endl;
}

// Charges are equal as well; what an answer says of its price was compared with each.
bool Run::LedgersAreEqual() {
  for (auto& [number, stage] : stages_) {
    if (stage.one->Ledger() == stage.other->Ledger()) continue;
    std::cout << "\nVIOLATION: the ledgers of scene " << number << " differ\n";
    return false;
  }
  return true;
}

void Run::ShowProgress(uint64_t query) {
  const auto now = std::chrono::steady_clock::now();
  if (wishes_.quiet || now - shown_ < std::chrono::seconds(10)) return;
  shown_ = now;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - started_).count();
  statistics_.PrintLine(std::cerr);
  std::cerr << ", " << (query + 1) / static_cast<uint64_t>(std::max<int64_t>(seconds, 1))
            << " a second" << std::endl;
}

}  // namespace tacit::adversary
