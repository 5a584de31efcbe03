CREATE TABLE people (pid BIGINT, secret VARCHAR, age INTEGER, weight DOUBLE, ratio REAL,
  money DECIMAL(10,2), wide DECIMAL(38,10), whole DECIMAL(38,0), huge HUGEINT, small SMALLINT,
  tiny TINYINT, ubig UBIGINT, name VARCHAR, coll VARCHAR COLLATE NOCASE, sex VARCHAR,
  level INTEGER, active BOOLEAN, joined DATE, born DATE, seen TIMESTAMP, seen_ns TIMESTAMP_NS,
  seen_s TIMESTAMP_S, seen_ms TIMESTAMP_MS, zoned TIMESTAMPTZ, span INTERVAL, token UUID,
  place VARCHAR, clock TIME, raw BLOB, tags VARCHAR[]);
CREATE TABLE visits (vid BIGINT, pid BIGINT, days INTEGER, cost DECIMAL(12,2), kind VARCHAR,
  place VARCHAR, came TIMESTAMP, came_ns TIMESTAMP_NS, score DOUBLE, tag VARCHAR, day DATE,
  gap INTERVAL, huge HUGEINT, hush VARCHAR, big INTEGER);
CREATE TABLE stops (sid INTEGER, vid BIGINT, minutes INTEGER, note VARCHAR);
CREATE TABLE gauges (gid DOUBLE, val DOUBLE, lab VARCHAR, code INTEGER);
CREATE TABLE meters (pid DOUBLE, level INTEGER, lab VARCHAR);
CREATE TABLE cards (tok VARCHAR, worth INTEGER, kind VARCHAR, rate REAL);
CREATE TABLE marks (mark VARCHAR COLLATE NOCASE, points INTEGER, kind VARCHAR);
CREATE TABLE badges (token UUID, pid BIGINT, grade INTEGER, until DATE);
CREATE TABLE votes (score INTEGER, word VARCHAR, x DOUBLE, span INTERVAL, big DECIMAL(38,2));
CREATE TABLE towns (code VARCHAR, label VARCHAR, height INTEGER, num BIGINT, x DOUBLE, opened DATE);
