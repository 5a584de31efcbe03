CREATE TABLE person (id INTEGER, size DOUBLE, weight INTEGER, luck DOUBLE, side VARCHAR);
INSERT INTO person
  SELECT i, 20 + (i * 7919 % 601) / 10.0, CAST(10 + 0.08 * (i * 7919 % 601) + (i * 104729 % 301) / 10.0 AS INTEGER),
    CASE WHEN i % 50 = 7 THEN NULL ELSE (i * 15485863 % 1001) / 10.0 END,
    CASE WHEN i % 100 = 0 THEN 'few' WHEN i % 10 = 1 THEN 'some' ELSE 'many' END
  FROM range(40000) t(i);
