#include "catalog/catalog.h"

#include "catalog/query_tree.h"

namespace tacit::catalog {
namespace {

bool IsCatalogSchema(const std::string& schema) {
  return schema == "pg_catalog" || schema == "information_schema" || schema == "tacit";
}

}  // namespace

struct Catalog::State {};

Catalog::Catalog(std::unique_ptr<State> state) : state_(std::move(state)) {}
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

Result<Catalog> Catalog::Make(const policy::Policy&, const policy::Schema&) {
  return Catalog(std::make_unique<State>());
}

Result<std::optional<Query>> Catalog::Recognize(std::string_view text) const {
  TACIT_TRY(const std::optional<ParsedSelect> parsed, ParseSelect(text));
  if (!parsed) return std::optional<Query>();
  const NamedTable* ours = nullptr;
  const NamedTable* other = nullptr;
  for (const NamedTable& table : parsed->tables) {
    const bool is_ours =
        table.schema.empty() ? table.name.starts_with("pg_") : IsCatalogSchema(table.schema);
    (is_ours ? ours : other) = &table;
  }
  if (other != nullptr && ours == nullptr) return std::optional<Query>();
  if (other != nullptr) {
    return Error{.code = ErrorCode::kRefused,
                 .public_message = "one query reads both the catalog (" + ours->name +
                                   ") and the table " + other->name,
                 .hint = "ask the catalog in a query of its own",
                 .position = other->position,
                 .private_detail = "",
                 .rule = "catalog_and_tables"};
  }
  if (parsed->tree == nullptr) {
    return Error{.code = ErrorCode::kUnsupported,
                 .public_message = "nesting as deep as this is not supported",
                 .hint = "",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  return std::optional<Query>(Query(parsed->tree));
}

Result<Description> Catalog::Describe(const Query&, const Session&, const std::vector<Oid>&) const {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = "the catalog is not filled",
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<Answer> Catalog::Run(const Query&, const Session&,
                            const std::vector<std::optional<std::string>>&,
                            const std::vector<Oid>&) const {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = "the catalog is not filled",
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

int16_t TypeLength(Oid type) {
  switch (type) {
    case 16:
    case 18:
      return 1;
    case 21:
      return 2;
    case 23:
    case 24:
    case 26:
    case 700:
    case 1082:
      return 4;
    case 20:
    case 701:
    case 1114:
    case 1184:
      return 8;
    case 19:
      return 64;
    default:
      return -1;
  }
}

}  // namespace tacit::catalog
