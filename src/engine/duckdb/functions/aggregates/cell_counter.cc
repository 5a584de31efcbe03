#include "engine/duckdb/functions/aggregates/cell_counter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/functions/aggregates/handed_over.h"
#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/values/logical_type.h"

namespace tacit::engine::duckdb {
namespace {

using CountedCell = noise::FullCells::Cell;

constexpr int kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;
static_assert(CellCounter::kCellsMax == int64_t{1} << (2 * kDigitBits));

// Why 2^16: as many rows fit a processor's nearer memory, and they are more than the digits.
constexpr size_t kFreshMax = size_t{1} << 16;

void SortByDigit(const std::vector<uint32_t>& from, std::vector<uint32_t>& into, int shift) {
  std::array<size_t, kDigits> places{};
  const auto digit = [shift](uint32_t cell) { return (cell >> shift) & (kDigits - 1); };
  for (const uint32_t cell : from) ++places[digit(cell)];
  size_t next = 0;
  for (size_t& place : places) {
    const size_t count = place;
    place = next;
    next += count;
  }
  for (const uint32_t cell : from) into[places[digit(cell)]++] = cell;
}

// The same steps whatever the cells are, but for few rows.
void SortCells(std::vector<uint32_t>& cells) {
  if (cells.size() < kDigits) return std::sort(cells.begin(), cells.end());
  std::vector<uint32_t> between(cells.size());
  SortByDigit(cells, between, 0);
  SortByDigit(between, cells, kDigitBits);
}

void AppendCell(std::vector<CountedCell>& cells, const CountedCell& more) {
  if (!cells.empty() && cells.back().cell == more.cell) {
    cells.back().rows += more.rows;
  } else {
    cells.push_back(more);
  }
}

std::vector<CountedCell> MergedCells(const std::vector<CountedCell>& one,
                                     const std::vector<CountedCell>& other) {
  std::vector<CountedCell> all;
  all.reserve(one.size() + other.size());
  size_t i = 0;
  for (const CountedCell& cell : other) {
    while (i < one.size() && one[i].cell <= cell.cell) AppendCell(all, one[i++]);
    AppendCell(all, cell);
  }
  all.insert(all.end(), one.begin() + static_cast<ptrdiff_t>(i), one.end());
  return all;
}

}  // namespace

void CellCounter::Add(int64_t cell) {
  fresh_.push_back(static_cast<uint32_t>(std::clamp<int64_t>(cell, 0, kCellsMax - 1)));
  if (fresh_.size() >= std::max(kFreshMax, counted_.size())) Fold();
}

void CellCounter::Add(const CellCounter& other) {
  if (!other.counted_.empty()) counted_ = MergedCells(counted_, other.counted_);
  fresh_.insert(fresh_.end(), other.fresh_.begin(), other.fresh_.end());
  if (fresh_.size() >= std::max(kFreshMax, counted_.size())) Fold();
}

void CellCounter::Fold() {
  if (fresh_.empty()) return;
  SortCells(fresh_);
  std::vector<CountedCell> counted;
  for (const uint32_t cell : fresh_) AppendCell(counted, {.cell = cell, .rows = 1});
  fresh_.clear();
  counted_ = counted_.empty() ? std::move(counted) : MergedCells(counted_, counted);
}

const std::vector<CountedCell>& CellCounter::Counted() {
  Fold();
  return counted_;
}

// DuckDB moves states by copying their bytes, and forgets where they were.
namespace {

struct CellState {
  CellCounter* counter;  // none before the first row
};

CellState& CellsAt(duckdb_aggregate_state state) { return *reinterpret_cast<CellState*>(state); }

CellCounter& CounterOf(CellState& state) {
  if (state.counter == nullptr) state.counter = new CellCounter;
  return *state.counter;
}

idx_t CellStateSize(duckdb_function_info) { return sizeof(CellState); }

void BeginCells(duckdb_function_info, duckdb_aggregate_state state) {
  const HandedOver own(&state, 1);
  StateMemory::Taken();
  CellsAt(state) = {.counter = nullptr};
}

void AddCells(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
  InAggregate(info, [&] {
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, 0);
    const auto* cells = static_cast<const int64_t*>(duckdb_vector_get_data(vector));
    uint64_t* known = duckdb_vector_get_validity(vector);
    const idx_t size = duckdb_data_chunk_get_size(input);
    const HandedOver own(states, size);
    for (idx_t row = 0; row < size; ++row) {
      if (known != nullptr && !duckdb_validity_row_is_valid(known, row)) continue;
      CounterOf(CellsAt(states[row])).Add(cells[row]);
    }
  });
}

void JoinCells(duckdb_function_info info, duckdb_aggregate_state* from,
               duckdb_aggregate_state* into, idx_t count) {
  InAggregate(info, [&] {
    const HandedOver theirs(from, count), own(into, count);
    for (idx_t i = 0; i < count; ++i) {
      const CellCounter* other = CellsAt(from[i]).counter;
      if (other != nullptr) CounterOf(CellsAt(into[i])).Add(*other);
    }
  });
}

void GiveCells(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result,
               idx_t count, idx_t offset) {
  InAggregate(info, [&] {
    const HandedOver own(states, count);
    auto* entries = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(result));
    idx_t end = duckdb_list_vector_get_size(result);
    for (idx_t i = 0; i < count; ++i) {
      CellCounter* counter = CellsAt(states[i]).counter;
      const idx_t length = counter == nullptr ? 0 : 2 * counter->Counted().size();
      entries[offset + i] = {end, length};
      end += length;
    }
    duckdb_list_vector_reserve(result, end);
    duckdb_list_vector_set_size(result, end);
    auto* words =
        static_cast<uint64_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(result)));
    for (idx_t i = 0; i < count; ++i) {
      if (entries[offset + i].length == 0) continue;
      uint64_t* word = words + entries[offset + i].offset;
      for (const CountedCell& cell : CellsAt(states[i]).counter->Counted()) {
        *word++ = cell.cell;
        *word++ = cell.rows;
      }
    }
  });
}

void EndCells(duckdb_aggregate_state* states, idx_t count) {
  const HandedOver own(states, count);
  for (idx_t i = 0; i < count; ++i) delete CellsAt(states[i]).counter;
  StateMemory::GivenBack();
}

}  // namespace

bool RegisterFullCells(duckdb_connection connection) {
  duckdb_aggregate_function made = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(made, kFullCellsFunction);
  const LogicalType cell(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const LogicalType word(duckdb_create_logical_type(DUCKDB_TYPE_UBIGINT));
  const LogicalType words(duckdb_create_list_type(word.get()));
  duckdb_aggregate_function_add_parameter(made, cell.get());
  duckdb_aggregate_function_set_return_type(made, words.get());
  duckdb_aggregate_function_set_special_handling(made);  // NULLs are left out here
  duckdb_aggregate_function_set_functions(made, CellStateSize, BeginCells, AddCells, JoinCells,
                                          GiveCells);
  duckdb_aggregate_function_set_destructor(made, EndCells);
  const bool good = duckdb_register_aggregate_function(connection, made) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&made);
  return good;
}

}  // namespace tacit::engine::duckdb
