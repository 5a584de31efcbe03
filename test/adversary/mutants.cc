#include "mutants.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "base/mutant.h"
#include "run.h"

namespace tacit::adversary {
namespace {

// Lines of mutants.txt: a mutant's name, or several joined by + where one guard stands behind
// another, then the number of a query of seed 1 that finds it, or `-` and a reason why it cannot be
// found alone. Lines with # are remarks.
struct Known {
  std::map<std::string, uint64_t> queries;
  std::set<std::string> elsewhere;
};

Known ReadKnown() {
  Known known;
  std::ifstream file(std::string(TACIT_ADVERSARY_FOLDER) + "/mutants.txt");
  for (std::string line; std::getline(file, line);) {
    std::stringstream words(line);
    std::string name;
    std::string query;
    if (!(words >> name >> query) || name.starts_with("#")) continue;
    if (query == "-") {
      known.elsewhere.insert(name);
    } else {
      known.queries[name] = std::stoull(query);
    }
  }
  return known;
}

}  // namespace

std::vector<std::string> MutantsOfSources() {
  static const std::string mark = "TACIT_MUTANT(\"";
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_ADVERSARY_SOURCES)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.ends_with("base/mutant.h")) continue;
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    for (size_t at = all.find(mark); at != std::string::npos; at = all.find(mark, at)) {
      at += mark.size();
      names.insert(all.substr(at, all.find('"', at) - at));
    }
  }
  const Known known = ReadKnown();
  for (const auto& [name, query] : known.queries) {
    if (name.find('+') != std::string::npos) names.insert(name);
  }
  for (const std::string& name : known.elsewhere) names.erase(name);
  return {names.begin(), names.end()};
}

#ifdef TACIT_MUTANTS
namespace {

std::optional<uint64_t> Look(uint64_t first, uint64_t queries) {
  Wishes wishes;
  wishes.first = first;
  wishes.queries = queries;
  wishes.violations_max = 1;
  wishes.shrinks = false;
  wishes.quiet = true;
  Run run(wishes);
  run.Go();
  return run.Found();
}

}  // namespace

bool TakeOut(const std::string& name) {
  SetMutant(name);
  return true;
}

bool FindMutants(const std::vector<std::string>& names, uint64_t queries) {
  const Known known = ReadKnown();
  bool all = !names.empty();  // a test of nothing has not passed
  for (const std::string& name : names) {
    SetMutant(name);
    std::optional<uint64_t> found;
    const auto hint = known.queries.find(name);
    if (hint != known.queries.end()) found = Look(hint->second, 1);
    if (found) {
      std::cout << name << " " << *found << std::endl;
    } else if ((found = Look(0, queries))) {
      std::cout << name << " " << *found << "  <- write it into mutants.txt" << std::endl;
    } else {
      std::cout << name << " was NOT found within " << queries << " queries" << std::endl;
      all = false;
    }
    SetMutant("");
  }
  std::cout << names.size() << " mutants" << (all ? ", all found" : "") << std::endl;
  return all;
}
#else
bool TakeOut(const std::string&) {
  std::cerr << "this build has no mutants: use the dev preset, or -DTACIT_MUTANTS=ON\n";
  return false;
}
bool FindMutants(const std::vector<std::string>&, uint64_t) { return TakeOut(""); }
#endif

}  // namespace tacit::adversary
