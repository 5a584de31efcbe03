#include "analysis/query/environment.h"

namespace tacit::analysis {

const CommonTable* Environment::FindCommonTable(const std::string& name,
                                                const Environment** at) const {
  for (const Environment* place = this; place != nullptr; place = place->outer) {
    // The last one first: WITH a AS (...), a AS (...) is the parser's error already.
    for (auto table = place->with.rbegin(); table != place->with.rend(); ++table) {
      if (table->written->name == name) {
        *at = place;
        return &*table;
      }
    }
  }
  return nullptr;
}

}  // namespace tacit::analysis
