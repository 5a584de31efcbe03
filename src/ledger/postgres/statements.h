#pragma once

// Every statement of a transaction, prepared once a session. `@` stands for the schema.

namespace tacit::ledger {

struct PgStatement {
  const char* name;
  const char* sql;
};

inline constexpr PgStatement kPgStatements[] = {
    // The one row that writers lock, one after another, until they commit.
    {"lock",
     "UPDATE @.ledger SET version = version + 1 RETURNING format, "
     "current_setting('synchronous_commit')"},
    {"version", "SELECT version, format FROM @.ledger"},

    {"newest", "SELECT seq, body, hash FROM @.record ORDER BY seq DESC LIMIT 2"},
    {"behind", "SELECT seq, body, hash FROM @.record WHERE seq > $1 ORDER BY seq LIMIT $2"},
    {"several", "SELECT seq, body, hash FROM @.record WHERE seq = ANY ($1::bigint[])"},
    {"act", "SELECT act FROM @.record WHERE seq = $1"},
    {"accounts", "SELECT analyst, entry FROM @.book ORDER BY analyst"},
    {"declared", "SELECT name, value FROM @.declared ORDER BY name"},
    {"sealed",
     "SELECT seq, ordinal, hash FROM @.release WHERE sealed_by = $1 "
     "ORDER BY seq, ordinal"},
    {"requests",
     "SELECT r.analyst, r.id, r.seq FROM unnest($1::text[], $2::text[]) "
     "AS w(analyst, id) JOIN @.request r ON r.analyst = w.analyst AND r.id = w.id"},
    {"payment",
     "SELECT seq FROM @.payment WHERE analyst = $1 AND release_seq = $2 AND "
     "ordinal = $3"},
    {"paying_count", "SELECT count(DISTINCT seq) FROM @.payment WHERE analyst = $1"},
    {"paying",
     "SELECT DISTINCT seq FROM @.payment WHERE analyst = $1 AND seq > $2 "
     "ORDER BY seq DESC LIMIT $3"},
    {"answers",
     "SELECT w.n, a.seq, a.ordinal FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY "
     "AS w(fingerprint, data_version, n) CROSS JOIN LATERAL (SELECT r.seq, r.ordinal FROM "
     "@.release r WHERE r.fingerprint = w.fingerprint AND r.data_version = w.data_version "
     "ORDER BY r.seq DESC, r.ordinal LIMIT $3) a ORDER BY w.n, a.seq DESC, a.ordinal"},
    {"own_answers",
     "SELECT w.n, a.seq, a.ordinal FROM unnest($1::text[], $2::bigint[], $4::text[]) WITH "
     "ORDINALITY AS w(fingerprint, data_version, analyst, n) CROSS JOIN LATERAL (SELECT r.seq, "
     "r.ordinal FROM @.release r JOIN @.payment p ON p.analyst = w.analyst AND p.release_seq = "
     "r.seq AND p.ordinal = r.ordinal WHERE r.fingerprint = w.fingerprint AND r.data_version = "
     "w.data_version ORDER BY r.seq DESC, r.ordinal LIMIT $3) a "
     "ORDER BY w.n, a.seq DESC, a.ordinal"},
    {"answer",
     "SELECT a.bytes, r.hash, r.sealed_by FROM @.release r JOIN @.answer a ON "
     "a.seq = r.seq AND a.ordinal = r.ordinal WHERE r.seq = $1 AND r.ordinal = $2"},

    {"seal", "UPDATE @.release SET sealed_by = $1 WHERE sealed_by = 0"},
    {"add_records",
     "INSERT INTO @.record (seq, body, hash, act) SELECT r.seq, r.body, r.hash, $4 "
     "FROM unnest($1::bigint[], $2::text[], $3::text[]) AS r(seq, body, hash)"},
    {"add_requests",
     "INSERT INTO @.request (analyst, id, seq) "
     "SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])"},
    {"add_payments",
     "INSERT INTO @.payment (analyst, release_seq, ordinal, seq) "
     "SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])"},
    {"set_accounts",
     "INSERT INTO @.book (analyst, entry) SELECT * FROM "
     "unnest($1::text[], $2::text[]) ON CONFLICT (analyst) "
     "DO UPDATE SET entry = excluded.entry"},
    {"set_declared",
     "INSERT INTO @.declared (name, value) SELECT * FROM "
     "unnest($1::text[], $2::text[]) ON CONFLICT (name) "
     "DO UPDATE SET value = excluded.value"},
    // Nothing where the release has an answer: an error would end the whole transaction.
    {"save",
     "WITH made AS (INSERT INTO @.release (seq, ordinal, fingerprint, data_version, "
     "sealed_by, hash) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING "
     "RETURNING seq, ordinal) INSERT INTO @.answer (seq, ordinal, bytes) "
     "SELECT seq, ordinal, $7::bytea FROM made"},

    {"request_page",
     "SELECT analyst, id, seq FROM @.request WHERE (analyst, id) > ($1, $2) "
     "ORDER BY analyst, id LIMIT $3"},
    {"payment_page",
     "SELECT analyst, release_seq, ordinal, seq FROM @.payment WHERE "
     "(analyst, release_seq, ordinal) > ($1, $2, $3) "
     "ORDER BY analyst, release_seq, ordinal LIMIT $4"},
    {"answer_page",
     "SELECT seq, ordinal, fingerprint, data_version, sealed_by, hash FROM "
     "@.release WHERE (seq, ordinal) > ($1, $2) ORDER BY seq, ordinal LIMIT $3"},
};

}  // namespace tacit::ledger
