#include "plan/tree/bytes.h"

#include "sql/walk.h"

namespace tacit::plan::tree {
namespace {

// Why 96: a fraction of two whole numbers of a word or two each, or the two counters of a shared
// value, with the allocator's own.
constexpr size_t kSmallBytes = 96;
// Of names that are longer than a string holds by itself.
constexpr size_t kNameBytes = 64;

// Once as it was asked, and once with its types, where conversions may stand between.
size_t BytesOf(const Expression& expression) {
  size_t bytes = 0;
  if (!expression) return bytes;
  sql::Visit(expression, [&](const Expression& node) {
    bytes += sizeof(sql::ExpressionNode) + 2 * sizeof(sql::BoundNode) + 3 * kSmallBytes;
    if (const auto* literal = sql::As<sql::Literal>(node)) bytes += 2 * literal->text.capacity();
    return true;
  });
  return bytes;
}

template <class T>
size_t BytesOfAll(const std::vector<T>& list);

size_t BytesOf(const std::string& name) { return sizeof name + name.capacity(); }
size_t BytesOf(const Typed& typed) { return sizeof typed + BytesOf(typed.expression); }
size_t BytesOf(const ProjectedColumn& column) { return sizeof column + BytesOf(column.value); }
size_t BytesOf(const KnownColumn& column) {
  return sizeof column + 3 * kSmallBytes + 4 * kNameBytes;
}

size_t BytesOf(const policy::KeyList& keys) {
  const auto* listed = std::get_if<policy::ListedKeys>(&keys);
  if (listed == nullptr) return 3 * kSmallBytes;
  size_t bytes = 0;
  for (const policy::KeyValue& value : listed->values) {
    bytes += sizeof value + kSmallBytes + value.text.capacity();
  }
  return bytes;
}
size_t BytesOf(const PublicKey& key) {
  size_t bytes = sizeof key + BytesOf(key.expression) + BytesOfAll(key.outcomes);
  for (const analysis::KeySource& source : key.sources) {
    bytes += sizeof source + BytesOf(source.keys);
  }
  return bytes;
}
size_t BytesOf(const KeyList& list) {
  return list ? sizeof *list + BytesOfAll(list->keys) + BytesOfAll(list->filters) : 0;
}

// Its expressions are counted with the columns that they are.
size_t BytesOf(const Aggregate& aggregate) {
  size_t bytes = sizeof aggregate + 8 * kSmallBytes;
  for (const policy::KeyValue& value : aggregate.measure.values) {
    bytes += sizeof value + kSmallBytes + value.text.capacity();
  }
  return bytes;
}

size_t BytesOf(const Scan& scan) {
  return sizeof scan + BytesOfAll(scan.stored_columns) +
         scan.hops.size() * sizeof(policy::UnitHop) + scan.opaque_columns.size() * 2 * kNameBytes;
}

size_t BytesOf(const Rows& rows);

size_t BytesOf(const PerPerson& query) {
  return sizeof query + BytesOf(query.input) + BytesOfAll(query.filters) + BytesOfAll(query.items) +
         BytesOfAll(query.group_by);
}

struct CountBytes {
  size_t operator()(const PublicScan& scan) const {
    return BytesOfAll(scan.stored_columns) + BytesOfAll(scan.one_each);
  }
  size_t operator()(const Scan& scan) const { return BytesOf(scan); }
  size_t operator()(const RowCap& cap) const { return BytesOf(cap.scan); }
  size_t operator()(const PreparedScan& stored) const { return BytesOf(stored.scan); }
  size_t operator()(const RowScan& scan) const { return BytesOfAll(scan.stored_columns); }
  size_t operator()(const WholeTable&) const { return 0; }
  size_t operator()(const Join& join) const {
    return BytesOf(join.left) + BytesOf(join.right) + BytesOf(join.on);
  }
  size_t operator()(const PerPerson& query) const { return BytesOf(query); }
  size_t operator()(const Union& united) const { return BytesOfAll(united.parts); }
  size_t operator()(const Literals& literals) const {
    size_t bytes = 0;
    for (const std::vector<Typed>& row : literals.rows) bytes += sizeof row + BytesOfAll(row);
    return bytes;
  }
  size_t operator()(const Project& project) const {
    return BytesOf(project.input) + BytesOfAll(project.filters) + BytesOfAll(project.columns) +
           BytesOfAll(project.ranks);
  }
  size_t operator()(const UnitCap& cap) const { return BytesOf(cap.input); }
  size_t operator()(const Listed& listed) const {
    return BytesOf(listed.input) + BytesOf(listed.keys);
  }
  size_t operator()(const GroupPlaces& places) const {
    return BytesOf(places.input) + BytesOfAll(places.keys);
  }
};

size_t BytesOf(const Rows& rows) {
  return sizeof(RowsNode) + 2 * kSmallBytes + 4 * kNameBytes + std::visit(CountBytes{}, rows->kind);
}

template <class T>
size_t BytesOfAll(const std::vector<T>& list) {
  size_t bytes = 0;
  for (const T& each : list) bytes += BytesOf(each);
  return bytes;
}

}  // namespace

size_t BytesOf(const Exact& exact) {
  if (!exact) return 0;
  return sizeof *exact + BytesOfAll(exact->names.columns) + BytesOf(exact->groups.rows) +
         BytesOfAll(exact->groups.keys) + BytesOfAll(exact->groups.aggregates) +
         BytesOf(exact->all_of);
}

size_t BytesOf(const PublicRows& rows) {
  if (const auto* keys = std::get_if<AllKeys>(&rows)) {
    return BytesOfAll(keys->names.columns) + BytesOf(keys->keys);
  }
  const auto* read = std::get_if<PublicColumns>(&rows);
  return read == nullptr ? 0 : read->columns.size() * 2 * kNameBytes;
}

}  // namespace tacit::plan::tree
