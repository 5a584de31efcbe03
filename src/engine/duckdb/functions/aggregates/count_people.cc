#include "engine/duckdb/functions/aggregates/count_people.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/functions/aggregates/handed_over.h"
#include "engine/duckdb/functions/own_functions.h"

// Units without a set of them. A unit's number is the place of its first row, so that no unit has
// more rows than lie between its number and any larger one. Where that many of its rows come one
// after another, they are all: the unit is counted by noticing where it begins. Others may go on
// elsewhere, in another chunk or another thread, or lost rows to a filter: those are kept, and
// counted in the end. That holds in whatever order the engine hands rows on; only how many have to
// be kept depends on it.
namespace tacit::engine::duckdb {
namespace {

// proof: engine/duckdb/rules/rules.md#a-number-for-a-unit
struct People {
  int64_t last;      // the unit counted last; units are numbered from 1
  uint64_t counted;  // units that had all their rows one after another
  int64_t end;       // a unit of which more may come, 0: none, and further ones
  std::vector<int64_t>* ends;
};

// Why 2^27: a gigabyte, all statements together. The engine does not know of this memory.
std::atomic<int64_t> ends_max = int64_t{1} << 27;
std::atomic<int64_t> all_ends = 0;

void Count(duckdb_function_info info, int64_t added) {
  if (added == 0 || (all_ends += added) <= ends_max) return;
  duckdb_aggregate_function_set_error(info, kTooManyKept);
}

// How many places in memory it took.
int64_t Keep(People& people, int64_t unit) {
  if (people.end == 0) people.end = unit;
  if (people.end == unit) return 0;
  if (people.ends == nullptr) people.ends = new std::vector<int64_t>;
  if (!people.ends->empty() && people.ends->back() == unit) return 0;
  people.ends->push_back(unit);
  return 1;
}

People& At(duckdb_aggregate_state state) { return *reinterpret_cast<People*>(state); }

idx_t StateSize(duckdb_function_info) { return sizeof(People); }

void Initialise(duckdb_function_info, duckdb_aggregate_state state) {
  const HandedOver own(&state, 1);
  StateMemory::Taken();
  At(state) = {.last = 0, .counted = 0, .end = 0, .ends = nullptr};
}

// Where the run of rows of one unit ends that begins at `row`.
idx_t RunEnd(const int64_t* units, idx_t row, idx_t size) {
  idx_t end = row + 1;
  while (end < size && units[end] == units[row]) ++end;
  return end;
}

// Whether every run from `begin` to before `end` has all rows of its unit. Where numbers never
// fall, each unit has one run, no longer than the way to the next number; then the runs together
// are as long as all those ways only if each of them is.
bool AreWhole(const int64_t* units, idx_t begin, idx_t end) {
  // Several at a time, because it is asked of nearly all rows.
  constexpr idx_t kLanes = 4;
  int64_t falls[kLanes] = {};  // negative: somewhere
  idx_t row = begin + 1;
  for (; row + kLanes <= end + 1; row += kLanes) {
    for (idx_t lane = 0; lane < kLanes; ++lane) {
      falls[lane] |= units[row + lane] - units[row + lane - 1];
    }
  }
  for (; row <= end; ++row) falls[0] |= units[row] - units[row - 1];
  return (falls[0] | falls[1] | falls[2] | falls[3]) >= 0 &&
         units[end] - units[begin] == static_cast<int64_t>(end - begin);
}

void CountWhole(duckdb_aggregate_state* states, const int64_t* units, idx_t begin, idx_t end) {
  for (idx_t row = begin; row < end; ++row) {
    People& people = At(states[row]);
    people.counted += people.last != units[row] ? 1 : 0;
    people.last = units[row];
  }
}

int64_t KeepRun(duckdb_aggregate_state* states, const int64_t* units, idx_t begin, idx_t end) {
  int64_t added = 0;
  for (idx_t row = begin; row < end; ++row) added += Keep(At(states[row]), units[row]);
  return added;
}

void Update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
  const auto* units =
      static_cast<const int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 0)));
  const idx_t size = duckdb_data_chunk_get_size(input);
  if (size == 0) return;
  const HandedOver own(states, size);
  idx_t last = size - 1;
  while (last > 0 && units[last - 1] == units[last]) --last;
  int64_t added = KeepRun(states, units, last, size);
  idx_t row = 0;
  if (last > 0) {
    row = RunEnd(units, 0, last);
    added += KeepRun(states, units, 0, row);
  }
  if (AreWhole(units, row, last)) {
    CountWhole(states, units, row, last);
    row = last;
  }
  while (row < last) {
    const idx_t end = RunEnd(units, row, last);
    if (units[end] - units[row] == static_cast<int64_t>(end - row)) {
      CountWhole(states, units, row, end);
    } else {
      added += KeepRun(states, units, row, end);
    }
    row = end;
  }
  Count(info, added);
}

void Combine(duckdb_function_info info, duckdb_aggregate_state* from, duckdb_aggregate_state* into,
             idx_t count) {
  const HandedOver theirs(from, count), own(into, count);
  int64_t added = 0;
  for (idx_t i = 0; i < count; ++i) {
    const People& other = At(from[i]);
    People& people = At(into[i]);
    people.counted += other.counted;
    if (other.end != 0) added += Keep(people, other.end);
    if (other.ends == nullptr) continue;
    for (const int64_t unit : *other.ends) added += Keep(people, unit);
  }
  Count(info, added);
}

// Sorts what is made of few rising runs, one for each thread that read the table.
void MergeRuns(std::vector<int64_t>& units) {
  while (true) {
    const auto second = std::is_sorted_until(units.begin(), units.end());
    if (second == units.end()) return;
    // Runs are merged in pairs, so that many of them are no more than a sort.
    for (auto first = units.begin(); first != units.end();) {
      const auto middle = std::is_sorted_until(first, units.end());
      const auto last = std::is_sorted_until(middle, units.end());
      std::inplace_merge(first, middle, last);
      first = last;
    }
  }
}

int64_t CountEnds(const People& people) {
  if (people.ends == nullptr) return people.end != 0 ? 1 : 0;
  std::vector<int64_t>& units = *people.ends;
  MergeRuns(units);
  const auto last = std::unique(units.begin(), units.end());
  return last - units.begin() + (std::binary_search(units.begin(), last, people.end) ? 0 : 1);
}

void Finalise(duckdb_function_info, duckdb_aggregate_state* states, duckdb_vector result,
              idx_t count, idx_t offset) {
  const HandedOver own(states, count);
  auto* people = static_cast<int64_t*>(duckdb_vector_get_data(result));
  for (idx_t i = 0; i < count; ++i) {
    const People& found = At(states[i]);
    people[offset + i] = static_cast<int64_t>(found.counted) + CountEnds(found);
  }
}

void Destroy(duckdb_aggregate_state* states, idx_t count) {
  const HandedOver own(states, count);
  for (idx_t i = 0; i < count; ++i) {
    const People& people = At(states[i]);
    if (people.ends == nullptr) continue;
    all_ends -= static_cast<int64_t>(people.ends->size());
    delete people.ends;
  }
  StateMemory::GivenBack();
}

void UpdateOrFail(duckdb_function_info info, duckdb_data_chunk input,
                  duckdb_aggregate_state* states) {
  InAggregate(info, [&] { Update(info, input, states); });
}

void CombineOrFail(duckdb_function_info info, duckdb_aggregate_state* from,
                   duckdb_aggregate_state* into, idx_t count) {
  InAggregate(info, [&] { Combine(info, from, into, count); });
}

}  // namespace

void SetKeptPeopleMax(int64_t people) { ends_max = people; }

bool RegisterCountPeople(duckdb_connection connection) {
  duckdb_aggregate_function made = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(made, kPeopleFunction);
  duckdb_logical_type whole = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb_aggregate_function_add_parameter(made, whole);
  duckdb_aggregate_function_set_return_type(made, whole);
  duckdb_destroy_logical_type(&whole);
  // There is no NULL among them, and looking for one would take time.
  duckdb_aggregate_function_set_special_handling(made);
  duckdb_aggregate_function_set_functions(made, StateSize, Initialise, UpdateOrFail, CombineOrFail,
                                          Finalise);
  duckdb_aggregate_function_set_destructor(made, Destroy);
  const bool good = duckdb_register_aggregate_function(connection, made) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&made);
  return good;
}

}  // namespace tacit::engine::duckdb
