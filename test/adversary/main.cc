#include <cstdlib>
#include <iostream>
#include <string>

#include "mutants.h"
#include "run.h"

namespace tacit::adversary {
namespace {

constexpr const char* kUsage =
    "usage: adversary [--seed N] [--first N] [--queries N | --minutes N | --query N]\n"
    "                 [--scenes N] [--violations N] [--no-shrink] [--show] [--without MUTANT]\n"
    "                 [--engine duckdb|postgres]\n"
    "       adversary --ask QUERY [--scenes N]\n"
    "       adversary --mutants | --mutant NAME\n";

std::optional<uint64_t> Read(const char* text) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (end == text || *end != 0) return std::nullopt;
  return value;
}

int Main(int count, char** words) {
  Wishes wishes;
  bool one = false;
  std::optional<std::vector<std::string>> mutants;
  std::string ask;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--mutants") {
      mutants = MutantsOfSources();
      continue;
    }
    if (word == "--mutant" && i + 1 < count) {
      mutants = {words[++i]};
      continue;
    }
    if (word == "--without" && i + 1 < count) {
      if (!TakeOut(words[++i])) return 2;
      continue;
    }
    if (word == "--engine" && i + 1 < count) {
      const std::string engine = words[++i];
      if (engine == "postgres" && std::getenv("PGHOST") == nullptr) {
        std::cerr << "run it by test/engines/with_postgres.py\n";
        return 2;
      }
      if (engine != "postgres" && engine != "duckdb") {
        std::cerr << kUsage;
        return 2;
      }
      wishes.rows = engine == "postgres" ? Rows::kInPostgres : Rows::kInDuckdb;
      continue;
    }
    if (word == "--ask" && i + 1 < count) {
      ask = words[++i];
      continue;
    }
    if (word == "--no-shrink") {
      wishes.shrinks = false;
      continue;
    }
    if (word == "--show") {
      wishes.shows = true;
      continue;
    }
    const std::optional<uint64_t> value = i + 1 < count ? Read(words[++i]) : std::nullopt;
    if (!value) {
      std::cerr << kUsage;
      return 2;
    }
    if (word == "--seed") {
      wishes.seed = *value;
    } else if (word == "--first") {
      wishes.first = *value;
    } else if (word == "--queries") {
      wishes.queries = *value;
    } else if (word == "--minutes") {
      wishes.minutes = std::chrono::minutes(*value);
    } else if (word == "--query") {
      wishes.first = *value;
      wishes.queries = 1;
      wishes.shows = true;
      one = true;
    } else if (word == "--scenes") {
      wishes.scenes = *value;
    } else if (word == "--violations") {
      wishes.violations_max = *value;
    } else {
      std::cerr << kUsage;
      return 2;
    }
  }
  Run run(wishes);
  if (!ask.empty()) return run.Ask(ask) ? 0 : 1;
  // Why 20,000: what a guard keeps out must be within reach of a run of minutes.
  if (mutants) return FindMutants(*mutants, 20'000) ? 0 : 1;
  bool good = run.Go();
  if (one) return good ? 0 : 1;
  run.statistics().Print(std::cout);
  // A server is asked a sample, and has no words for everything.
  if (wishes.rows != Rows::kInDuckdb) return good ? 0 : 1;
  for (const std::string& feature : run.statistics().NotCovered()) {
    std::cout << "no accepted query uses: " << feature << "\n";
    good = false;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace tacit::adversary

int main(int count, char** words) { return tacit::adversary::Main(count, words); }
