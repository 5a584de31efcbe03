#include "gateway/kept/plan_bytes.h"

#include "plan/tree/bytes.h"

namespace tacit::gateway {
namespace {

// Why 96: a fraction of two whole numbers of a word or two each, with the allocator's own.
constexpr size_t kRationalBytes = 96;

template <class... Texts>
size_t TextBytes(const Texts&... texts) {
  return (texts.capacity() + ...);
}

size_t BytesOf(const plan::Measure& measure) {
  return sizeof measure + 12 * kRationalBytes + measure.mechanism->HeldBytes() +
         TextBytes(measure.name, measure.aggregate, measure.text, measure.column);
}

size_t BytesOf(const plan::Release& release) {
  size_t bytes = sizeof release + 3 * kRationalBytes +
                 TextBytes(release.name, release.fingerprint) + plan::tree::BytesOf(release.exact);
  for (const plan::Parameter& parameter : release.parameters) {
    bytes += sizeof parameter;
    if (const auto* constant = std::get_if<plan::ReleasedConstant>(&parameter)) {
      bytes += constant->sql.capacity() + constant->made_from.size() * sizeof(size_t);
    }
  }
  for (const plan::KeyColumn& key : release.keys) {
    bytes += sizeof key + TextBytes(key.name, key.text);
  }
  if (const auto* units = std::get_if<plan::UnitsChoice>(&release.selection)) {
    bytes += units->mechanism.ShownAlways() * sizeof(UInt128);
  }
  for (const plan::Measure& measure : release.measures) bytes += BytesOf(measure);
  bytes += release.scales.size() * kRationalBytes + release.made_from.size() * sizeof(size_t);
  if (release.shape) {
    // Digests of 32 bytes, and a fraction or two for each number.
    bytes += (release.shape->filters.size() + 2 * release.shape->keys.size()) * 80 +
             release.shape->pins.size() * 400 +
             release.shape->measures.size() * (160 + 4 * kRationalBytes);
  }
  for (const std::string& fact : release.facts) bytes += sizeof fact + fact.capacity();
  return bytes;
}

}  // namespace

size_t BytesOf(const plan::PrivatePlan& plan) {
  size_t bytes =
      sizeof plan + TextBytes(plan.post_sql, plan.fingerprint) + plan.margin_sql.capacity();
  for (const plan::Release& release : plan.releases) bytes += BytesOf(release);
  for (const plan::PublicTable& table : plan.public_tables) {
    bytes += sizeof table + table.name.capacity() + plan::tree::BytesOf(table.rows);
  }
  for (const plan::OutputColumn& column : plan.columns) {
    bytes += sizeof column + TextBytes(column.name);
    if (column.error) {
      bytes += 2 * kRationalBytes + TextBytes(column.error->mechanism, column.error->condition);
    }
  }
  for (const std::string& notice : plan.notices) bytes += sizeof notice + notice.capacity();
  return bytes;
}

}  // namespace tacit::gateway
