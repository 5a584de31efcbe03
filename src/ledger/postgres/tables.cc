#include "ledger/postgres/tables.h"

namespace tacit::ledger {
namespace {

constexpr char kTablesInPostgres[] = R"sql(CREATE SCHEMA IF NOT EXISTS @;
CREATE TABLE @.ledger (one boolean PRIMARY KEY DEFAULT true CHECK (one),
  format bigint NOT NULL, version bigint NOT NULL) WITH (fillfactor = 10);
CREATE TABLE @.record (seq bigint PRIMARY KEY, body text NOT NULL, hash text NOT NULL,
  act text NOT NULL);
CREATE TABLE @.book (analyst text COLLATE "C" PRIMARY KEY, entry text NOT NULL)
  WITH (fillfactor = 50);
CREATE TABLE @.declared (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
CREATE TABLE @.request (analyst text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL, PRIMARY KEY (analyst, id));
CREATE TABLE @.payment (analyst text COLLATE "C" NOT NULL, release_seq bigint NOT NULL,
  ordinal bigint NOT NULL, seq bigint NOT NULL, PRIMARY KEY (analyst, release_seq, ordinal));
CREATE TABLE @.release (seq bigint NOT NULL, ordinal bigint NOT NULL,
  fingerprint text COLLATE "C" NOT NULL, data_version bigint NOT NULL, sealed_by bigint NOT NULL,
  hash text NOT NULL, PRIMARY KEY (seq, ordinal));
CREATE TABLE @.answer (seq bigint NOT NULL, ordinal bigint NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (seq, ordinal));
CREATE INDEX release_by_question ON @.release (fingerprint, data_version, seq, ordinal);
CREATE INDEX release_by_seal ON @.release (sealed_by);
CREATE INDEX payment_by_record ON @.payment (analyst, seq);
INSERT INTO @.ledger (format, version) VALUES (1, 0);
)sql";

constexpr char kGrantsInPostgres[] = R"sql(GRANT USAGE ON SCHEMA @ TO %;
GRANT SELECT ON @.ledger, @.record, @.book, @.declared, @.request, @.payment, @.release, @.answer
  TO %;
GRANT INSERT ON @.record, @.book, @.declared, @.request, @.payment, @.release, @.answer TO %;
GRANT UPDATE ON @.ledger, @.book, @.declared TO %;
GRANT UPDATE (sealed_by) ON @.release TO %;
)sql";

std::string Replaced(std::string text, char mark, const std::string& by) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
    text.replace(at, 1, by);
  }
  return text;
}

}  // namespace

std::string InSchema(std::string sql, const std::string& schema) {
  return Replaced(std::move(sql), '@', schema);
}

std::string SqlOfTables(const std::string& schema) { return InSchema(kTablesInPostgres, schema); }

std::string SqlOfGrants(const std::string& schema, const std::string& role) {
  return Replaced(InSchema(kGrantsInPostgres, schema), '%', role);
}

}  // namespace tacit::ledger
