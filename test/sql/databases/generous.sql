CREATE TABLE person (id INTEGER, town VARCHAR, x INTEGER);
INSERT INTO person SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, i % 11 FROM range(400) t(i);
