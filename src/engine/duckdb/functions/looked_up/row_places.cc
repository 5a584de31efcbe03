#include "engine/duckdb/functions/looked_up/row_places.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/functions/looked_up/living.h"
#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {
namespace {

Living<RowPlaces>& LivingRowPlaces() {
  static Living<RowPlaces> living;
  return living;
}

Error NoSpace(const std::string& path, uint64_t bytes, int why) {
  return InvalidArgument(
      "cannot write " + std::to_string(bytes) + " bytes to " + path + ": " + std::strerror(why),
      "the folder of the database must be writable and have space");
}

// All blocks are taken at once: a disk that fills up later cannot make a write to memory fail.
Result<uint64_t*> MapFile(const std::string& path, uint64_t bytes) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return NoSpace(path, bytes, errno);
  (void)::unlink(path.c_str());
  const int full = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* memory =
      full != 0 ? MAP_FAILED : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int why = full != 0 ? full : errno;
  ::close(file);
  if (memory == MAP_FAILED) return NoSpace(path, bytes, why);
  return static_cast<uint64_t*>(memory);
}

}  // namespace

Result<std::shared_ptr<RowPlaces>> RowPlaces::Make(const std::string& path, uint64_t rows,
                                                   uint64_t rows_per_unit) {
  // A mapping of nothing is refused.
  const uint64_t cells = std::max<uint64_t>(rows, 1);
  TACIT_TRY(uint64_t* const memory, MapFile(path, cells * sizeof(uint64_t)));
  return LivingRowPlaces().Add([&](int64_t name) {
    return std::shared_ptr<RowPlaces>(new RowPlaces(name, memory, cells, rows_per_unit));
  });
}

std::shared_ptr<RowPlaces> RowPlaces::Find(int64_t name) { return LivingRowPlaces().Find(name); }

RowPlaces::~RowPlaces() { ::munmap(cells_, rows_ * sizeof(uint64_t)); }

void RowPlaces::Clear() {
  std::fill(cells_, cells_ + rows_, 0);
  row_ = hash_ = number_ = rank_ = placed_ = 0;
  has_ties_ = false;
}

bool RowPlaces::Put(uint64_t row, bool begins, uint64_t hash) {
  if (row >= rows_ || cells_[row] != 0) return false;
  if (begins) {
    number_ = placed_ + 1;
    rank_ = 0;
  } else if (hash < hash_) {
    return false;
  } else if (hash == hash_) {
    has_ties_ = true;
    cells_[row_] |= kTies;
    cells_[row] |= kTies;
  }
  row_ = row;
  hash_ = hash;
  if (++rank_ > rows_per_unit_) return true;
  constexpr uint64_t kRanksMax = uint64_t{1} << kRankBits;
  constexpr uint64_t kNumbersMax = kTies >> kRankBits;
  if (rank_ > kRanksMax || number_ >= kNumbersMax) return false;
  ++placed_;
  cells_[row] |= number_ << kRankBits | (rank_ - 1);
  return true;
}

bool RowPlaces::Read(duckdb_data_chunk chunk) {
  const auto cells_of = [&](idx_t column) {
    return duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, column));
  };
  const auto* rows = static_cast<const uint64_t*>(cells_of(0));
  const auto* begins = static_cast<const bool*>(cells_of(1));
  const auto* hashes = static_cast<const uint64_t*>(cells_of(2));
  const idx_t size = duckdb_data_chunk_get_size(chunk);
  for (idx_t i = 0; i < size; ++i) {
    // Rows of a unit lie anywhere in the table: each is a page of its own, asked for in time.
    if (i + 16 < size && rows[i + 16] < rows_) __builtin_prefetch(cells_ + rows[i + 16], 1);
    if (!Put(rows[i], begins[i], hashes[i])) return false;
  }
  return true;
}

namespace {

// The places that the second argument names; null when they are no more, which is then said.
std::shared_ptr<RowPlaces> PlacesOf(duckdb_function_info info, duckdb_data_chunk input) {
  const auto* names =
      static_cast<const int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 1)));
  std::shared_ptr<RowPlaces> places = RowPlaces::Find(names[0]);
  if (places == nullptr) duckdb_scalar_function_set_error(info, "there are no such places");
  return places;
}

const uint64_t* RowsOf(duckdb_data_chunk input) {
  return static_cast<const uint64_t*>(
      duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 0)));
}

}  // namespace

void FindPlaces(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const idx_t size = duckdb_data_chunk_get_size(input);
  if (size == 0) return;
  const std::shared_ptr<RowPlaces> places = PlacesOf(info, input);
  if (places == nullptr) return;
  const uint64_t* rows = RowsOf(input);
  auto* found = static_cast<uint64_t*>(duckdb_vector_get_data(output));
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* valid = duckdb_vector_get_validity(output);
  for (idx_t i = 0; i < size; ++i) {
    found[i] = places->PlaceOf(rows[i]);
    if (found[i] == 0) valid[i / 64] &= ~(uint64_t{1} << i % 64);
  }
}

void FindTies(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const idx_t size = duckdb_data_chunk_get_size(input);
  if (size == 0) return;
  const std::shared_ptr<RowPlaces> places = PlacesOf(info, input);
  if (places == nullptr) return;
  const uint64_t* rows = RowsOf(input);
  auto* found = static_cast<bool*>(duckdb_vector_get_data(output));
  for (idx_t i = 0; i < size; ++i) found[i] = places->Ties(rows[i]);
}

}  // namespace tacit::engine::duckdb
