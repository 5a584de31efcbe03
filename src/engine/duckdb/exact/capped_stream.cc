#include "engine/duckdb/exact/capped_stream.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "base/mutant.h"
#include "engine/duckdb/exact/group_index.h"
#include "engine/duckdb/functions/looked_up/text_list.h"
#include "engine/duckdb/values/cells.h"
#include "engine/duckdb/values/read_values.h"

namespace tacit::engine::duckdb {
namespace {

using Keys = std::vector<Value>;

// What all passes found of a group together.
struct Totals {
  std::vector<Int128> numbers;  // of each measure
  bool found = false;           // Group::found, of any
};

// Why eight million: about two gigabytes, of all questions together, that the engine knows nothing
// of. Beyond it the statement, which the engine runs within its memory limit, is the better way.
constexpr int64_t kGroupsMax = 8'000'000;
std::atomic<int64_t> all_groups = 0;

// Sorted rows take memory, so few units are asked for at a time; but each time the other tables of
// a join may be read again.
constexpr int64_t kSortedUnits = 250'000;
constexpr int64_t kSortsMax = 4;

// What every row looks at; the keys are kept apart.
struct Group {
  int64_t last_unit = 0;  // the last one that has a row in it
  uint64_t place = 0;     // which of that unit's groups it is
  uint64_t in_unit = 0;   // rows of that unit
  bool known = false;
  bool found = false;  // somebody has it within the limit of groups
  bool listed = true;  // in the list of public keys, where there is one
};

// How much of its own limit a unit has left, of one measure.
struct OwnSum {
  int64_t unit = 0;  // the last one with a row; numbers begin at 1
  Int128 left = 0;
};

// One session's part: units of a range, in their order.
// proof: engine/duckdb/rules/rules.md#the-group-cap-in-one-pass
class Pass {
 public:
  Pass(const StreamedCap& stream, const TextList& texts, const std::set<Keys>* listed)
      : stream_(stream),
        texts_(texts),
        keys_(stream.numbered.size()),
        listed_(listed),
        index_(keys_),
        // Of a list every group is shown, whoever has it.
        groups_most_(listed == nullptr ? stream.groups : 0) {
    for (const StreamedMeasure& measure : stream.measures) {
      groups_most_ = std::max(groups_most_, measure.limit.groups);
      if (measure.counts_units) continue;
      const auto known = std::find(limits_.begin(), limits_.end(), measure.limit);
      limit_of_.push_back(static_cast<size_t>(known - limits_.begin()));
      if (known == limits_.end()) limits_.push_back(measure.limit);
    }
    kept_.resize(limits_.size());
    own_.resize(stream.measures.size());
  }
  Pass(const Pass&) = default;  // of one that has read nothing
  Pass& operator=(const Pass&) = delete;
  ~Pass() { all_groups -= held_; }

  // False ends the stream: see `out_of_order` and `too_many`.
  bool Read(duckdb_data_chunk chunk) {
    index_.Number(chunk, 1, &numbers_);
    if (!AddGroups(chunk) || !Keep(chunk)) return false;
    AddMeasures(chunk);
    return true;
  }

  bool gave_up() const { return gave_up_; }

  // Adds what was found to the groups of other passes.
  void AddTo(std::map<Keys, Totals>* all) const {
    const size_t measures = stream_.measures.size();
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (!groups_[g].listed) continue;
      Totals& totals = (*all)[group_keys_[g]];
      totals.numbers.resize(measures);
      totals.found = totals.found || groups_[g].found;
      for (size_t m = 0; m < measures; ++m) totals.numbers[m] += totals_[g * measures + m];
    }
  }

 private:
  // Groups that this chunk is the first to show.
  bool AddGroups(duckdb_data_chunk chunk) {
    uint32_t most = 0;
    for (const uint32_t number : numbers_) most = std::max(most, number);
    if (groups_.size() <= most) {
      const auto added = static_cast<int64_t>(most) + 1 - static_cast<int64_t>(groups_.size());
      held_ += added;
      if ((all_groups += added) > kGroupsMax) {
        gave_up_ = true;
        return false;
      }
    }
    if (most < groups_.size() && !HasNew()) return true;
    std::vector<ColumnReader> readers;
    for (size_t k = 0; k < keys_; ++k) {
      readers.emplace_back(duckdb_data_chunk_get_vector(chunk, 1 + k));
    }
    if (groups_.size() <= most) {
      groups_.resize(size_t{most} + 1);
      group_keys_.resize(size_t{most} + 1);
      totals_.resize((size_t{most} + 1) * stream_.measures.size());
    }
    for (size_t row = 0; row < numbers_.size(); ++row) {
      Group& group = groups_[numbers_[row]];
      if (group.known) continue;
      Keys& keys = group_keys_[numbers_[row]];
      for (size_t k = 0; k < keys_; ++k) keys.push_back(KeyOf(k, readers[k].Read(row)));
      group.listed = listed_ == nullptr || listed_->contains(keys);
      group.known = true;
    }
    return true;
  }
  Value KeyOf(size_t k, Value cell) const {
    const auto* number = std::get_if<int64_t>(&cell);
    if (!stream_.numbered[k] || number == nullptr) return cell;
    return texts_.TextOf(static_cast<uint32_t>(*number));
  }
  bool HasNew() const {
    return std::any_of(numbers_.begin(), numbers_.end(),
                       [this](uint32_t number) { return !groups_[number].known; });
  }

  // Which rows each limit keeps. Rows of a unit come in the order of their ranks.
  bool Keep(duckdb_data_chunk chunk) {
    const auto* units =
        static_cast<int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
    for (std::vector<uint32_t>& kept : kept_) kept.clear();
    for (uint32_t row = 0; row < numbers_.size(); ++row) {
      if (units[row] != unit_) {
        if (units[row] < unit_) {
          gave_up_ = true;
          return false;
        }
        unit_ = units[row];
        unit_groups_ = 0;
      }
      Group& group = groups_[numbers_[row]];
      if (!group.listed) continue;
      if (group.last_unit != unit_) {
        if (unit_groups_ == groups_most_) continue;  // no number looks at it
        group.last_unit = unit_;
        group.place = ++unit_groups_;
        group.in_unit = 0;
        group.found = group.found || group.place <= stream_.groups;
        AddUnit(numbers_[row], group.place);
      }
      ++group.in_unit;
      for (size_t i = 0; i < limits_.size(); ++i) {
        const bool within = group.place <= limits_[i].groups && group.in_unit <= limits_[i].rows;
        if (within) kept_[i].push_back(row);
      }
    }
    return true;
  }

  void AddUnit(size_t group, uint64_t place) {
    const size_t measures = stream_.measures.size();
    for (size_t m = 0; m < measures; ++m) {
      const StreamedMeasure& measure = stream_.measures[m];
      if (measure.counts_units && place <= measure.limit.groups) totals_[group * measures + m] += 1;
    }
  }

  void AddMeasures(duckdb_data_chunk chunk) {
    const auto* units =
        static_cast<int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
    idx_t column = 1 + keys_;
    size_t counted = 0;
    for (size_t m = 0; m < stream_.measures.size(); ++m) {
      const StreamedMeasure& measure = stream_.measures[m];
      duckdb_vector filter = nullptr;
      duckdb_vector argument = nullptr;
      if (measure.has_filter) filter = duckdb_data_chunk_get_vector(chunk, column++);
      if (measure.has_argument) argument = duckdb_data_chunk_get_vector(chunk, column++);
      if (measure.counts_units) continue;
      AddMeasure(m, kept_[limit_of_[counted++]], units, filter, argument);
    }
  }

  void AddMeasure(size_t m, const std::vector<uint32_t>& kept, const int64_t* units,
                  duckdb_vector filter, duckdb_vector argument) {
    const StreamedMeasure& measure = stream_.measures[m];
    const bool* passes = nullptr;
    const uint64_t* filter_validity = nullptr;
    if (filter != nullptr) {
      passes = static_cast<bool*>(duckdb_vector_get_data(filter));
      filter_validity = duckdb_vector_get_validity(filter);
    }
    const void* cells = argument == nullptr ? nullptr : duckdb_vector_get_data(argument);
    const uint64_t* validity = argument == nullptr ? nullptr : duckdb_vector_get_validity(argument);
    const duckdb_type type = measure.is_sum ? StoredTypeOf(argument) : DUCKDB_TYPE_BIGINT;
    TACIT_ASSERT(type == DUCKDB_TYPE_BIGINT || type == DUCKDB_TYPE_HUGEINT);
    const bool is_wide = type == DUCKDB_TYPE_HUGEINT;
    const size_t measures = stream_.measures.size();
    for (const uint32_t row : kept) {
      if (passes != nullptr && !(IsValid(filter_validity, row) && passes[row])) continue;
      if (!IsValid(validity, row)) continue;
      Int128& total = totals_[numbers_[row] * measures + m];
      if (!measure.is_sum) {
        total += 1;
        continue;
      }
      const Int128 summand = is_wide ? FromHugeint(static_cast<const duckdb_hugeint*>(cells)[row])
                                     : static_cast<const int64_t*>(cells)[row];
      total += measure.own_sum == 0 ? summand : LeftOf(summand, units[row], measure, own_[m]);
    }
  }

  // What a unit's limit on its own sum leaves of a summand. Rows come one unit after another.
  // proof: plan/price/own_sum.md#claim
  static Int128 LeftOf(Int128 summand, int64_t unit, const StreamedMeasure& measure, OwnSum& own) {
    if (TACIT_MUTANT("own_sum_not_limited")) return summand;
    if (own.unit != unit) own = {.unit = unit, .left = measure.own_sum};
    const Int128 kept = std::clamp(summand, -own.left, own.left);
    own.left -= kept < 0 ? -kept : kept;
    return kept;
  }

  const StreamedCap& stream_;
  const TextList& texts_;
  size_t keys_;
  const std::set<Keys>* listed_;
  GroupIndex index_;
  std::vector<uint32_t> numbers_;            // of the chunk's rows
  uint64_t groups_most_;                     // of a unit, that any number or `found` looks at
  std::vector<StreamedLimit> limits_;        // the different ones
  std::vector<size_t> limit_of_;             // of each measure that does not count units
  std::vector<std::vector<uint32_t>> kept_;  // by each limit, rows of the chunk
  std::vector<Group> groups_;
  std::vector<Keys> group_keys_;
  std::vector<Int128> totals_;  // by group, then by measure
  std::vector<OwnSum> own_;     // by measure
  int64_t unit_ = 0;
  uint64_t unit_groups_ = 0;
  int64_t held_ = 0;  // of all_groups
  bool gave_up_ = false;
};

// Runs the passes side by side; the first failure of any.
std::optional<Failure> RunPasses(Connection& connection, const StreamedCap& stream,
                                 const TextList& texts, int64_t units, std::vector<Pass>& passes) {
  const auto count = static_cast<int64_t>(passes.size());
  const bool has_texts =
      std::find(stream.numbered.begin(), stream.numbered.end(), true) != stream.numbered.end();
  std::vector<std::optional<Failure>> failures(passes.size());
  const auto run_pass = [&](size_t i) {
    Result<Connection> opened = connection.Another();
    if (!opened.ok()) {
      failures[i] = Failure{DUCKDB_ERROR_CONNECTION, opened.error().private_detail};
      return;
    }
    Connection session = std::move(opened).value();
    const auto at = static_cast<int64_t>(i);
    const int64_t last = units * (at + 1) / count;
    const int64_t most = stream.sorts ? std::max(kSortedUnits, units / kSortsMax) : units;
    for (int64_t first = units * at / count + 1;
         first <= last && !failures[i] && !passes[i].gave_up(); first += most) {
      Connection::Statement statement{
          .sql = stream.rows_sql,
          .parameters = {Value(first), Value(std::min(first + most - 1, last))},
          .select_only = true};
      if (has_texts) statement.parameters.emplace_back(texts.name());
      failures[i] = session.Run(statement, nullptr,
                                [&](duckdb_data_chunk chunk) { return passes[i].Read(chunk); });
    }
  };
  // A text that needs no memory: this may be for want of it.
  const auto run = [&](size_t i) noexcept {
    try {
      run_pass(i);
    } catch (...) {
      failures[i] = Failure{DUCKDB_ERROR_OUT_OF_MEMORY, "exception"};
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(passes.size());
  for (size_t i = 0; i < passes.size(); ++i) {
    try {
      threads.emplace_back(run, i);
    } catch (...) {
      run(i);  // a thread that the system refuses costs time, not the answer
    }
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < passes.size(); ++i) {
    if (failures[i] && !passes[i].gave_up()) return failures[i];
  }
  return std::nullopt;
}

ExactGroup GroupOf(const Keys& keys, const std::vector<Int128>& totals, bool has_units) {
  ExactGroup group{.keys = keys, .units = 0, .measures = {}};
  for (size_t m = 0; m < totals.size(); ++m) {
    if (m == 0 && has_units) {
      group.units = static_cast<uint64_t>(totals[m]);
    } else {
      group.measures.emplace_back(totals[m]);
    }
  }
  return group;
}

}  // namespace

std::optional<Failure> ReadCapped(Connection& connection, const StreamedCap& stream, bool has_units,
                                  ExactGroups* groups, bool* done) {
  ResultTable last;
  if (auto failure = connection.Query({.sql = stream.units_sql, .select_only = true}, 1, &last)) {
    return failure;
  }
  const Value numbered = last.rows[0][0];
  const auto* units = std::get_if<int64_t>(&numbered);
  if (units == nullptr) return Failure{DUCKDB_ERROR_INTERNAL, "units are not numbered"};
  std::map<Keys, Totals> all;
  std::set<Keys> listed;
  // Without keys there is one row, of whoever is there.
  if (stream.numbered.empty()) {
    all[{}] = {.numbers = std::vector<Int128>(stream.measures.size()), .found = true};
  }
  if (!stream.keys_sql.empty()) {
    ResultTable list;
    if (auto failure =
            connection.Query({.sql = stream.keys_sql, .select_only = true}, kGroupsMax, &list)) {
      return failure;
    }
    for (const Keys& row : list.rows) {
      all[row] = {.numbers = std::vector<Int128>(stream.measures.size()), .found = true};
      listed.insert(row);
    }
  }
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1u, 64u);
  const std::shared_ptr<TextList> texts = TextList::Make();
  std::vector<Pass> passes(cores,
                           Pass(stream, *texts, stream.keys_sql.empty() ? nullptr : &listed));
  if (auto failure = RunPasses(connection, stream, *texts, *units, passes)) return failure;
  for (const Pass& pass : passes) {
    if (pass.gave_up()) return std::nullopt;
  }
  for (const Pass& pass : passes) pass.AddTo(&all);
  for (const auto& [key, totals] : all) {
    if (totals.found) groups->Add(GroupOf(key, totals.numbers, has_units));
  }
  *done = true;
  return std::nullopt;
}

}  // namespace tacit::engine::duckdb
