CREATE TABLE member (id INTEGER, name VARCHAR, age INTEGER, weight DOUBLE, sex VARCHAR,
  level INTEGER, active BOOLEAN, joined DATE, note VARCHAR);
INSERT INTO member
  SELECT i, CASE WHEN i % 3 = 0 THEN 'Ann' ELSE 'Bob' END, CASE WHEN i % 10 = 9 THEN NULL ELSE 20 + i % 40 END,
    CASE WHEN i % 40 = 7 THEN NULL WHEN i % 40 = 17 THEN 'nan'::DOUBLE ELSE 60 + (i % 8) / 4 END, CASE WHEN i % 2 = 0 THEN 'F' ELSE 'M' END, 1 + i % 3, i % 4 = 0,
    DATE '2024-01-05' + CAST(30 * (i % 5) AS INTEGER), CASE WHEN i < 3 THEN 'rare' ELSE 'usual' END
  FROM range(200) t(i);
CREATE TABLE ride (ride_id INTEGER UNIQUE, member_id INTEGER, km DOUBLE, place VARCHAR, day DATE);
INSERT INTO ride
  SELECT i, i % 100, CASE WHEN i % 30 = 11 THEN NULL ELSE i % 20 END, CASE WHEN i % 3 = 0 THEN 'n' ELSE 's' END,
    DATE '2024-02-01' + CAST(i % 50 AS INTEGER)
  FROM range(300) t(i);
INSERT INTO ride VALUES (900, 5000, 10, 'n', DATE '2024-02-01'), (901, NULL, 10, 'n', DATE '2024-02-01');
CREATE TABLE stop (stop_id INTEGER, ride_id INTEGER, minutes INTEGER);
INSERT INTO stop SELECT i, i % 300, i % 10 FROM range(600) t(i);
CREATE TABLE vote (score INTEGER, remark VARCHAR);
INSERT INTO vote SELECT 1 + i % 5, 'r' FROM range(50) t(i);
CREATE TABLE place (code VARCHAR, label VARCHAR, height INTEGER);
INSERT INTO place VALUES ('n', 'north', 10), ('s', 'south', 20), ('w', 'west', 30);
CREATE TABLE odd (code INTEGER, wide INTEGER NOT NULL, broad INTEGER, clock TIME, real DOUBLE NOT NULL);
INSERT INTO odd SELECT 1, 1 + i % 50, CASE WHEN i % 5 > 0 THEN 10 END, NULL, CASE WHEN i % 10 = 0 THEN 'nan'::DOUBLE ELSE 0.5 END
  FROM range(100) t(i);
CREATE TABLE sale (sale_id INTEGER, member_id INTEGER, item VARCHAR, shop VARCHAR, amount INTEGER);
INSERT INTO sale
  SELECT i, i % 50, CASE (i // 50) % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END,
    CASE WHEN i < 150 THEN 'old' ELSE 'new' END, i % 7
  FROM range(300) t(i);
