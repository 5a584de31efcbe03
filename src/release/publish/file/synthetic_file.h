#pragma once

#include <optional>
#include <string>

#include "release/publish/file/bytes.h"
#include "release/synthesize.h"

namespace tacit::release {

// Synthetic rows as the ledger keeps them: codes of cells, what may be said about the run, and the
// word by which values within a cell are drawn, so that the same file is written every time.
struct SyntheticFile {
  SyntheticTable table;
  uint64_t seed = 0;
  ShownValues shown = {};  // the values of each open column

  size_t rows() const { return table.codes.empty() ? 0 : table.codes[0].size(); }
};

std::string ToBytes(const SyntheticFile& file);
// kInternal for bytes that are not of these columns. Open attributes get their values.
Result<SyntheticFile> FromBytes(const std::string& bytes, std::vector<Attribute>& attributes);

// Why 60 MiB: what the ledger keeps of one answer, with room for what stands around the rows.
inline constexpr size_t kStoredBytesMax = size_t{60} << 20;
// How many rows fit.
size_t StoredRowsMax(const std::vector<Attribute>& attributes);

// A column of numbers that rows are told apart by, before all others.
struct RowNumbers {
  std::string name;
  std::vector<size_t> numbers;  // by row
};

// A header and a line for each row; NULL is nothing, and an empty text is "".
std::string ToCsv(const SyntheticFile& file, const std::vector<Attribute>& attributes,
                  const std::optional<RowNumbers>& key = std::nullopt);

}  // namespace tacit::release
