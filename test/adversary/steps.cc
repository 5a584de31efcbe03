#include "scenes.h"

namespace tacit::adversary {
namespace {

// Far more rows than any cap, at one end of every type. The first instant is none of its type, here
// and at the other end, where a decimal has too many digits: in the tables all the same.
const char* const kExtreme = R"(
INSERT INTO people VALUES (7001, 'zz', 2147483647, 1e308, 3.4e38, 99999999.99,
  9999999999999999999999999999.9999999999, 99999999999999999999999999999999999999,
  170141183460469231731687303715884105727, 32767, 127, 18446744073709551615, repeat('z', 300), 'N',
  'X', 4, true, DATE '9999-12-31', DATE '5877642-06-24', TIMESTAMP '294246-12-31 23:59:59',
  TIMESTAMP_NS '2262-04-11 23:47:16', TIMESTAMP_S '290000-12-31 23:59:59',
  TIMESTAMP_MS '290000-12-31 23:59:59', TIMESTAMPTZ '290000-01-01 00:00:00+00', INTERVAL 1 MONTH,
  CAST('ffffffff-ffff-ffff-ffff-ffffffffffff' AS UUID), 'S', TIME '23:59:59', 'x'::BLOB, []);
INSERT INTO visits SELECT 8000 + i, 7001, 2147483647, 9999999999.99, CASE i % 4 WHEN 0 THEN 'a' WHEN
  1 THEN 'b' WHEN 2 THEN 'c' ELSE 'no key' END, 'N', CASE i WHEN 0 THEN
  make_timestamp(-9223372036854775808 + i) ELSE TIMESTAMP '294246-12-31 23:59:59' END,
  TIMESTAMP_NS '2262-04-11 23:47:16', CASE i % 2 WHEN 0 THEN 'Infinity'::DOUBLE ELSE 'NaN'::DOUBLE
  END, 'only' || i, DATE '9999-12-31', INTERVAL 30 DAY,
  170141183460469231731687303715884105727, 'h9', 2147483647 FROM range(12) t(i);
INSERT INTO stops SELECT 9000 + i, 8000 + i % 12, 2147483647, 'many' || i FROM range(30) t(i);
INSERT INTO gauges SELECT 7001, 1e308, 'extreme' || i, 3 FROM range(9) t(i);
INSERT INTO meters SELECT 7001, 2147483647, 'extreme' || i FROM range(9) t(i);
INSERT INTO cards SELECT repeat('z', 300), 2147483647, CASE i % 2 WHEN 0 THEN 'z' ELSE 'no key' END,
  3.4e38 FROM range(9) t(i);
INSERT INTO badges SELECT CAST('ffffffff-ffff-ffff-ffff-ffffffffffff' AS UUID), 9223372036854775807,
  2147483647, DATE '9999-12-31' FROM range(9) t(i);
INSERT INTO votes VALUES (2147483647, 'extreme', 1e308, INTERVAL 1 MONTH,
  999999999999999999999999999999999999.99))";

const char* const kOtherEnd = R"(
INSERT INTO people VALUES (-9223372036854775808, '', -2147483648, '-Infinity', '-Infinity',
  -99999999.99, -9999999999999999999999999999.9999999999, -99999999999999999999999999999999999999,
  -170141183460469231731687303715884105727, -32768, -128, 0, '', '', 'F', 1, false,
  DATE '0001-01-01', DATE '-infinity', (SELECT make_timestamp(-9223372036854775808 + i) FROM
  range(1) t(i)), TIMESTAMP_NS '1677-09-22 00:00:00',
  TIMESTAMP_S '0001-01-01 00:00:00', TIMESTAMP_MS '0001-01-01 00:00:00', TIMESTAMPTZ 'infinity',
  INTERVAL '-83333333' MONTH, CAST('00000000-0000-0000-0000-000000000000' AS UUID), 'n',
  TIME '00:00:00', ''::BLOB, NULL);
INSERT INTO visits SELECT 8100 + i, -9223372036854775808, -2147483648, -9999999999.99, 'c', 's',
  CASE i WHEN 0 THEN make_timestamp(-9223372036854775808 + i) ELSE TIMESTAMP '0001-01-01' END, TIMESTAMP_NS '1677-09-22 00:00:00', '-Infinity', chr(10), DATE '-infinity',
  INTERVAL '-1' MONTH, -170141183460469231731687303715884105727, NULL,
  -2147483648 FROM range(5) t(i);
INSERT INTO stops SELECT 9100 + i, 8100 + i % 5, -2147483648, NULL FROM range(9) t(i);
INSERT INTO gauges SELECT '-Infinity', -1e308, '', -2147483648 FROM range(5) t(i);
INSERT INTO cards SELECT '', -2147483648, '', '-Infinity' FROM range(5) t(i);
INSERT INTO badges SELECT CAST('ffffffff-0000-0000-0000-000000000000' AS UUID), -9223372036854775808,
  -2147483648, DATE '-infinity' FROM range(5) t(i);
INSERT INTO votes VALUES (-2147483648, '', '-Infinity', INTERVAL '-1' MONTH, (SELECT -sum(v) FROM
  (VALUES ('999999999999999999999999999999999999.99'::DECIMAL(38,2)),
  ('600000000000000000000000000000000000.00')) s(v))))";

// Equal to what others have, and written in another way; or equal to another person's number in a
// type that cannot tell the two apart.
const char* const kOtherSpelling = R"(
INSERT INTO people (pid, age, weight, coll, sex, level, span, place, ratio) VALUES
  (9007199254740993, 33, -0.0, 'N', 'F', 2, INTERVAL 1 MONTH, 'n', -0.0);
INSERT INTO visits (vid, pid, days, kind, gap, score, place, came_ns) VALUES (8200, 9007199254740993,
  10, 'a', INTERVAL 30 DAY, -0.0, 'N', TIMESTAMP_NS '2024-04-01 00:00:00.000000001'), (8201,
  9007199254740993, 11, 'b', INTERVAL 30 DAY, -0.0, 'n', TIMESTAMP_NS
  '2024-04-01 00:00:00.000000999'), (8202, 9007199254740993, 12, 'c', INTERVAL '720' HOUR, 0.0, 's',
  TIMESTAMP_NS '2024-04-01 00:00:00.000001');
INSERT INTO gauges VALUES (7001, -0.0, 'LAB0', 0), (7001, 0.0, 'lab0', 1);
INSERT INTO cards VALUES ('CARD3', 10, 'X', -0.0), ('CARD3', 9, 'x', 0.0);
INSERT INTO badges VALUES (CAST('FFFFFFFF-0000-0000-0000-000000000000' AS UUID), 1, 5, NULL);
INSERT INTO votes VALUES (1, 'WORD0', -0.0, INTERVAL 1 MONTH, 1.50))";

const char* const kAlone = R"(
INSERT INTO people (pid, secret, age, weight, name, coll, sex, level, active, joined, born, span,
  place, huge, whole, wide) VALUES (7001, 's9', 119, 149.5, 'Zed', 'zed', 'X', 4, NULL,
  DATE '2024-06-01', DATE '2031-01-01', INTERVAL 7 HOUR, 'w', 99, 99, 99);
INSERT INTO visits (vid, pid, days, kind, tag, place, day, gap) VALUES (8300, 7001, 29, 'c', 'alone',
  'w', DATE '2031-01-01', INTERVAL 5 DAY);
INSERT INTO stops VALUES (9300, 8300, 59, 'alone');
INSERT INTO gauges VALUES (7001, 9.5, 'alone', 3);
INSERT INTO cards VALUES ('alone', 7, 'z', 0.25);
INSERT INTO badges VALUES (CAST('ffffffff-0000-0000-0000-000000000000' AS UUID), 7001, 5,
  DATE '2031-01-01');
INSERT INTO votes VALUES (5, 'alone', 2.5, INTERVAL 7 HOUR, 99))";

const char* const kRemoved =
    "DELETE FROM stops WHERE vid IN (SELECT vid FROM visits WHERE pid = 5);"
    "DELETE FROM visits WHERE pid = 5; DELETE FROM people WHERE pid = 5;"
    "DELETE FROM gauges WHERE gid = 5; DELETE FROM cards WHERE tok = 'card5'; DELETE FROM badges "
    "WHERE token = CAST('00000000-0000-0000-0000-000000000005' AS UUID); DELETE FROM votes WHERE "
    "rowid = 5";

const char* const kNulls =
    "INSERT INTO people (pid) VALUES (7001); INSERT INTO visits (vid, pid) VALUES (8400, 7001), "
    "(NULL, 7001), (8401, 7001); INSERT INTO stops (sid, vid) VALUES (9400, 8400), (9401, 8401); "
    "INSERT INTO gauges (gid) VALUES (7001), (7001); INSERT INTO cards (tok) VALUES ('null'); "
    "INSERT "
    "INTO badges (token) VALUES (CAST('ffffffff-0000-0000-0000-000000000000' AS UUID)); INSERT "
    "INTO "
    "votes VALUES (NULL, NULL, NULL, NULL, NULL)";

const char* const kBothMeters =
    "INSERT INTO meters VALUES (9007199254740992, 1, 'lab0'), (9007199254740992, 2, 'lab1')";

// First in every order.
const char* const kNextNumber =
    "INSERT INTO people (pid, age, sex) VALUES (9007199254740993, 40, 'M'); INSERT INTO visits "
    "(vid, pid, days, cost, kind, came, score, tag, day) SELECT i, 9007199254740993, i, i, 'a', "
    "TIMESTAMP '0001-01-01 00:00:00' + INTERVAL (i) HOUR, -i, '!' || i, DATE '0001-01-01' + CAST(i "
    "AS INTEGER) FROM range(1, 4) t(i)";

std::vector<Step> MakeSteps() {
  return {
      {"an ordinary person, removed", "", kRemoved},
      {"extreme values and far more rows than any cap", kExtreme, ""},
      {"the other end of every type", kOtherEnd, "", true},
      {"nothing but NULL", kNulls, ""},
      {"alone in every group", kAlone, ""},
      {"values of others in another spelling", kOtherSpelling, "", true},
      {"rows that share a parent with another person's",
       "INSERT INTO people (pid, age, sex) VALUES (7001, 40, 'M');"
       "INSERT INTO visits (vid, pid, days, kind) VALUES (100, 7001, 7, 'a'), (101, 7001, 8, 'b'), "
       "(102, 7001, 9, 'c'); INSERT INTO stops SELECT 9500 + i, 100 + i % 3, i, 'note' || (i % 2) "
       "FROM range(12) t(i)",
       "", true, 1, false, "stops", true},
      {"a person whose meters another type takes for somebody else's as well",
       std::string(kNextNumber) + ";" + kBothMeters,
       std::string(kNextNumber) +
           "; DELETE FROM people WHERE pid = 9007199254740992; DELETE FROM visits WHERE pid = "
           "9007199254740992",
       false, 1, false, "meters", true},
      {"a person whose number another table's type takes for somebody else's", kNextNumber, "",
       false, 1, false, "visits", false, "gauges"},
      {"many rows below rows, alone", kExtreme, "", true, 1, false, "stops"},
      {"a gauge without a number",
       "INSERT INTO gauges SELECT 'NaN'::DOUBLE, 'NaN'::DOUBLE, 'lab0', i FROM range(6) t(i)", "",
       true, 1, false, "gauges"},
      {"a gauge of the negative zero",
       "INSERT INTO gauges SELECT -0.0, CASE i % 2 WHEN 0 THEN '-Infinity'::DOUBLE ELSE 'NaN' END, "
       "'lab' || i, i FROM range(6) t(i)",
       "DELETE FROM gauges WHERE gid = 0", true, 1, false, "gauges"},
      {"a vote at the end of its types",
       "INSERT INTO votes VALUES (2147483647, 'alone', 'NaN', INTERVAL 1 MONTH, "
       "999999999999999999999999999999999999.99)",
       "", true, 1, false, "votes"},
      {"a vote of ordinary values", "INSERT INTO votes VALUES (3, 'once', -0.0, NULL, 7)", "",
       false, 1, false, "votes"},
      {"a card and a mark that are others' in capitals",
       "INSERT INTO cards VALUES ('CARD3', 10, 'z', -0.0), ('CARD3', 9, 'X', 'NaN'), ('CARD3', 1, "
       "'y', 1); INSERT INTO marks VALUES ('MARK3', 10, 'n'), ('MARK3', 9, 'S'), ('MARK3', 8, 's')",
       "", true, 1, false, "marks", true},
      {"a card",
       "INSERT INTO cards VALUES ('', 10, 'z', -0.0), ('', 9, 'X', 'NaN'), ('', 1, 'y', 1)", "",
       true, 1, false, "cards"},
      {"a badge",
       "INSERT INTO badges SELECT CAST('ffffffff-ffff-ffff-ffff-ffffffffffff' AS UUID), NULL, i, "
       "DATE 'infinity' FROM range(5) t(i)",
       "", false, 1, false, "badges"},
      {"a person exchanged for an extreme one", kExtreme, kRemoved, false, 2, true},
      {"a person exchanged for one of another spelling", kOtherSpelling, kRemoved, true, 2, true},
      {"a vote exchanged for another", "INSERT INTO votes VALUES (1, 'no', 3, NULL, 1)",
       "INSERT INTO votes VALUES (5, 'yes', -3, NULL, 100)", false, 2, true, "votes"},
  };
}

}  // namespace

const std::vector<Step>& Steps() {
  static const std::vector<Step> steps = MakeSteps();
  return steps;
}

}  // namespace tacit::adversary
