INSERT INTO people SELECT i, 's' || (i % 5), 20 + (i * 7) % 50, CASE i % 6 WHEN 0 THEN 0.0
  ELSE 40 + (i * 13) % 60 END, (i % 4) / 2, (i * 111) % 997, i * 1000, i * 3, i % 7, i % 5, i % 3,
  i % 9, 'name' || (i % 4), CASE i % 2 WHEN 0 THEN 'n' ELSE 's' END, CASE i % 3 WHEN 0 THEN 'F'
  ELSE 'M' END, 1 + i % 4, i % 3 <> 1, DATE '2024-01-01' + CAST((i * 11) % 150 AS INTEGER),
  DATE '1990-05-17' + CAST(i % 3 AS INTEGER), TIMESTAMP '2024-03-01 10:00:00', TIMESTAMP_NS
  '2024-03-01 10:00:00', TIMESTAMP_S '2024-03-01 10:00:00', TIMESTAMP_MS '2024-03-01 10:00:00',
  TIMESTAMPTZ '2024-03-01 10:00:00+00', INTERVAL 30 DAY, CAST('00000000-0000-0000-0000-0000000000'
  || lpad(CAST(i AS VARCHAR), 2, '0') AS UUID), CASE i % 3 WHEN 0 THEN 'n' WHEN 1 THEN 's' ELSE 'q'
  END, TIME '10:00:00', 'raw'::BLOB, ['a'] FROM range(1, 21) t(i);
INSERT INTO people (pid, age, sex, level, coll, span, weight) VALUES (9007199254740992, 33, 'F', 2,
  'n', INTERVAL 30 DAY, 0.0), (21, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO visits SELECT 100 + i, 1 + i % 14, (i * 5) % 31, (i * 37) % 500, CASE i % 3 WHEN 0 THEN
  'a' WHEN 1 THEN 'b' ELSE 'c' END, CASE i % 2 WHEN 0 THEN 'n' ELSE 's' END, TIMESTAMP
  '2024-04-01 00:00:00' + INTERVAL (i % 3) HOUR, TIMESTAMP_NS '2024-04-01 00:00:00', (i % 5) * 0.1::DOUBLE,
  'tag' || (i % 3), DATE '2024-02-01' + CAST(i % 60 AS INTEGER), CASE i % 3 WHEN 0
  THEN INTERVAL 1 YEAR WHEN 1 THEN INTERVAL 360 DAY ELSE INTERVAL 8640 HOUR END, i,
  'h' || (i % 3), CASE i % 4 WHEN 0 THEN 2000000000 ELSE i END FROM range(40) t(i);
INSERT INTO visits (vid, pid, days, kind) VALUES (500, 9007199254740992, 10, 'a'),
  (501, 9007199254740992, 11, 'b'), (502, NULL, 3, 'a'), (503, 777777, 4, 'b'),
  (504, 9007199254740992, 12, 'c');
INSERT INTO stops SELECT i, 100 + i % 40, i % 61, 'note' || (i % 2) FROM range(40) t(i);
INSERT INTO gauges SELECT 1 + i % 12, (i % 4) * 0.5, 'lab' || (i % 2), i % 4 FROM range(20) t(i);
INSERT INTO gauges VALUES (9007199254740992, 1.5, 'lab0', 1), (9007199254740992, 2.5, 'lab1', 2),
  (0.0, 1.0, 'lab0', 3);
INSERT INTO meters SELECT 1 + i % 12, i % 5, 'lab' || (i % 2) FROM range(20) t(i);
INSERT INTO cards SELECT 'card' || (i % 9), i % 11, CASE i % 2 WHEN 0 THEN 'x' ELSE 'y' END, 0.5
  FROM range(16) t(i);
INSERT INTO marks SELECT 'mark' || (i % 9), i % 11, CASE i % 2 WHEN 0 THEN 'n' ELSE 's' END
  FROM range(16) t(i);
INSERT INTO badges SELECT CAST('00000000-0000-0000-0000-0000000000' || lpad(CAST(i % 11 AS VARCHAR),
  2, '0') AS UUID), i, i % 6, DATE '2024-05-05' FROM range(18) t(i);
INSERT INTO votes SELECT 1 + i % 5, 'word' || (i % 2), (i % 3) * 1.0, INTERVAL 30 DAY, i * 1.5
  FROM range(17) t(i);
INSERT INTO towns VALUES ('n', 'north', 10, 1, 0.0, DATE '2024-01-01'), ('s', 'south', 20, 2, 1.5,
  DATE '2024-02-01'), ('N', 'North', 30, 9007199254740993, -0.0, NULL), ('w', NULL, 40,
  9007199254740992, 1e300, DATE '2020-02-29'), ('S', 'South', NULL, NULL, NULL, DATE '2024-03-01');
