#include "release/publish/file/synthetic_file.h"

#include "base/quoted.h"

namespace tacit::release {
namespace {

constexpr char kMagic[] = "tacit synthetic rows 2\n";
// A column of at most so many cells takes one byte a row.
constexpr size_t kByteCells = 256;

size_t WidthOf(const Attribute& attribute) {
  return !attribute.IsOpen() && attribute.Shape().cells <= kByteCells ? 1 : 2;
}

bool ReadAnswered(Reader& reader, SyntheticFile& file) {
  for (uint64_t left = reader.Word(); left > 0; --left) {
    Answered& answered = file.table.answered.emplace_back();
    answered.which = reader.Word();
    answered.table.variance = reader.Number();
    const uint64_t cells = reader.Word();
    if (reader.failed() || cells > reader.left() / 8) return false;
    for (uint64_t i = 0; i < cells; ++i) answered.table.counts.push_back(reader.Number());
  }
  return !reader.failed();
}

Error NotThese() { return NotTheseBytes("synthetic rows of another shape"); }

template <class Summary, class Visit>
void ForEachNumber(Summary& summary, const Visit& visit) {
  for (auto* number :
       {&summary.rows_estimated, &summary.histogram_sigma, &summary.pair_sigma_least,
        &summary.pair_sigma_most, &summary.chi_square, &summary.chi_square_independent,
        &summary.dependence, &summary.dependence_noise, &summary.error, &summary.error_noise}) {
    visit(*number);
  }
}

// A draw for each value, from the file's word: the same every time it is written.
double DrawAt(uint64_t seed, size_t row, size_t column) {
  uint64_t z = seed + 0x9e3779b97f4a7c15 * (row * 65537 + column + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

std::string ToBytes(const SyntheticFile& file) {
  std::string bytes = kMagic;
  RunSummary summary = file.table.summary;
  ForEachNumber(summary, [&](double number) { AddNumber(number, bytes); });
  AddWord(summary.pairs, bytes);
  AddWord(summary.pair_cells, bytes);
  AddWord(summary.tables, bytes);
  AddWord(file.seed, bytes);
  AddShown(file.shown, bytes);
  AddWord(file.table.answered.size(), bytes);
  for (const Answered& answered : file.table.answered) {
    AddWord(answered.which, bytes);
    AddNumber(answered.table.variance, bytes);
    AddWord(answered.table.counts.size(), bytes);
    for (const double count : answered.table.counts) AddNumber(count, bytes);
  }
  AddWord(file.table.codes.size(), bytes);
  AddWord(file.rows(), bytes);
  for (size_t c = 0; c < file.table.codes.size(); ++c) {
    const bool narrow = file.table.cells[c] <= kByteCells;
    for (const uint16_t code : file.table.codes[c]) {
      bytes.push_back(static_cast<char>(code & 0xff));
      if (!narrow) bytes.push_back(static_cast<char>(code >> 8));
    }
  }
  return bytes;
}

Result<SyntheticFile> FromBytes(const std::string& bytes, std::vector<Attribute>& attributes) {
  Reader reader(bytes);
  SyntheticFile file;
  if (!reader.Skip(kMagic)) return NotThese();
  RunSummary& summary = file.table.summary;
  ForEachNumber(summary, [&](double& number) { number = reader.Number(); });
  summary.pairs = reader.Word();
  summary.pair_cells = reader.Word();
  summary.tables = reader.Word();
  file.seed = reader.Word();
  if (!ReadShown(reader, file.shown, attributes) || !ReadAnswered(reader, file)) return NotThese();
  if (reader.Word() != attributes.size()) return NotThese();
  const uint64_t rows = reader.Word();
  size_t width = 0;
  for (const Attribute& attribute : attributes) width += WidthOf(attribute);
  if (reader.failed() || rows > reader.left() || reader.left() != rows * width) return NotThese();
  for (const Attribute& attribute : attributes) {
    file.table.cells.push_back(attribute.Shape().cells);
    std::vector<uint16_t>& codes = file.table.codes.emplace_back(rows);
    for (uint16_t& code : codes) {
      code = reader.Byte();
      if (WidthOf(attribute) == 2) code = static_cast<uint16_t>(code | reader.Byte() << 8);
      if (code >= attribute.Shape().cells) return NotThese();
    }
  }
  return file;
}

size_t StoredRowsMax(const std::vector<Attribute>& attributes) {
  size_t width = 0;
  for (const Attribute& attribute : attributes) width += WidthOf(attribute);
  return kStoredBytesMax / width;
}

std::string ToCsv(const SyntheticFile& file, const std::vector<Attribute>& attributes,
                  const std::optional<RowNumbers>& key) {
  std::string csv = key ? CsvText(key->name) + "," : "";
  // Most cells have one value: it is written once.
  std::vector<std::vector<std::string>> known(attributes.size());
  for (size_t c = 0; c < attributes.size(); ++c) {
    csv += (c == 0 ? "" : ",") + CsvText(attributes[c].name);
    for (uint16_t code = 0; code < attributes[c].Values(); ++code) {
      const std::string first = TextOf(attributes[c], code, 0);
      const bool one = first == TextOf(attributes[c], code, 1 - 0x1p-53);
      known[c].push_back(one ? CsvText(first) : std::string());
    }
  }
  csv += "\n";
  for (size_t r = 0; r < file.rows(); ++r) {
    if (key) csv += std::to_string(key->numbers[r]) + ",";
    for (size_t c = 0; c < attributes.size(); ++c) {
      if (c > 0) csv += ",";
      const uint16_t code = file.table.codes[c][r];
      if (code >= attributes[c].Values()) continue;
      csv += known[c][code].empty() ? TextOf(attributes[c], code, DrawAt(file.seed, r, c))
                                    : known[c][code];
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace tacit::release
