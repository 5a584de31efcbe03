#include "gateway/workload/made_of_others.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "answer/table_bytes.h"
#include "gateway/derive/make_table.h"

namespace tacit::gateway::workload {
namespace {

using answer::TableInBytes;
using Table = std::shared_ptr<const TableInBytes>;

// The release's table with zero for every number: whether another can be made of it is a matter of
// its groups.
Result<Table> ZerosOf(const plan::Release& release, engine::Engine& engine) {
  engine::ResultTable keys;
  if (release.keys.empty()) {
    keys.rows.push_back({});
  } else if (release.exact && release.exact->all_of) {
    TACIT_TRY(keys, engine.Read(plan::PublicTable{
                        .name = "tacit_keys",
                        .rows = plan::tree::AllKeys{release.exact->names, release.exact->all_of}}));
  }
  std::vector<engine::ResultColumn> columns;
  for (const plan::KeyColumn& key : release.keys) columns.push_back({key.name, key.type});
  for (const plan::Measure& measure : release.measures) {
    columns.push_back({measure.name, ValueType{.kind = TypeKind::kNumeric, .precision = 38}});
  }
  answer::TableWriter table(columns);
  for (const std::vector<engine::Value>& key : keys.rows) {
    std::vector<engine::Value> row = key;
    row.resize(columns.size(), engine::Numeric{});
    table.Add(row);
  }
  return TableInBytes::Open(table.Take());
}

class Workload {
 public:
  Workload(std::vector<plan::Release>& releases, engine::Engine& engine)
      : releases_(releases),
        engine_(engine),
        is_out_(releases.size()),
        is_needed_(releases.size()) {}

  Result<Done> TakeOut(size_t index) {
    plan::Release& release = releases_[index];
    if (is_needed_[index] || !release.shape) return Done{};
    TACIT_TRY(const std::optional<plan::Derivation> derivation, DerivationOf(index));
    if (!derivation) return Done{};
    for (size_t i = 0; i < derivation->size(); ++i) {
      release.scales[i] = derivation->at(i).scale;
      is_needed_[derivation->at(i).table] = true;
    }
    is_out_[index] = true;
    made_.push_back({std::move(release), *derivation});
    return Done{};
  }

  // What is left, and what was taken out of it.
  std::vector<MadeOfOthers> Finish() {
    std::vector<size_t> places(releases_.size());
    std::vector<plan::Release> left;
    for (size_t i = 0; i < releases_.size(); ++i) {
      places[i] = left.size();
      if (!is_out_[i]) left.push_back(std::move(releases_[i]));
    }
    releases_ = std::move(left);
    for (MadeOfOthers& made : made_) {
      for (plan::MeasureSource& source : made.derivation) source.table = places[source.table];
    }
    return std::move(made_);
  }

 private:
  // Nothing where what would be stored is coarser than its wish, in whatever is written down of it.
  Result<std::optional<plan::Derivation>> DerivationOf(size_t index) {
    using Found = std::optional<plan::Derivation>;
    const plan::Release& release = releases_[index];
    std::vector<const plan::Shape*> shapes;
    std::vector<size_t> of;
    for (size_t i = 0; i < releases_.size(); ++i) {
      if (i == index || is_out_[i] || !releases_[i].shape) continue;
      shapes.push_back(&*releases_[i].shape);
      of.push_back(i);
    }
    Found derivation = plan::Derive(release, shapes);
    if (!derivation || derivation->size() != release.scales.size()) return Found();
    std::vector<Table> tables(releases_.size());
    for (size_t i = 0; i < derivation->size(); ++i) {
      plan::MeasureSource& source = derivation->at(i);
      if (source.scale > release.scales[i]) return Found();
      source.table = of[source.table];
      TACIT_TRY(tables[source.table], Zeros(source.table));
    }
    return MakeTable(release, *derivation, tables) ? std::move(derivation) : Found();
  }

  Result<Table> Zeros(size_t index) {
    Table& zeros = zeros_[index];
    if (zeros == nullptr) {
      TACIT_TRY(zeros, ZerosOf(releases_[index], engine_));
    }
    return zeros;
  }

  std::vector<plan::Release>& releases_;
  engine::Engine& engine_;
  std::vector<bool> is_out_, is_needed_;
  std::vector<MadeOfOthers> made_;
  std::map<size_t, Table> zeros_;
};

}  // namespace

Result<std::vector<MadeOfOthers>> TakeOutWhatFollows(std::vector<plan::Release>& releases,
                                                     engine::Engine& engine) {
  std::vector<size_t> dearest_first(releases.size());
  std::iota(dearest_first.begin(), dearest_first.end(), size_t{0});
  std::stable_sort(dearest_first.begin(), dearest_first.end(), [&](size_t a, size_t b) {
    const plan::Cost &one = releases[a].cost, &other = releases[b].cost;
    return one.epsilon != other.epsilon ? other.epsilon < one.epsilon : other.rho < one.rho;
  });
  Workload workload(releases, engine);
  for (const size_t index : dearest_first) TACIT_CHECK(workload.TakeOut(index));
  return workload.Finish();
}

Result<std::string> BytesOf(const MadeOfOthers& made, const std::vector<std::string>& drawn) {
  std::vector<Table> tables(drawn.size());
  for (const plan::MeasureSource& source : made.derivation) {
    if (tables[source.table] != nullptr) continue;
    TACIT_TRY(tables[source.table], TableInBytes::Open(drawn[source.table]));
  }
  std::optional<std::string> bytes = MakeTable(made.release, made.derivation, tables);
  if (bytes) return std::move(*bytes);
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a table of the workload has other groups than were planned with",
               .hint = "the list of its groups is kept in a public table, which has just changed",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace tacit::gateway::workload
