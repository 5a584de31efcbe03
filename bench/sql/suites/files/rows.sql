CREATE TABLE people AS
SELECT i AS uid, CAST(hash(i + 1) % 100 AS INTEGER) AS age, CAST(hash(i + 2) % 20 AS INTEGER) AS region,
       CAST(hash(i + 3) % 90000 AS DOUBLE) AS income, DATE '2020-01-01' + CAST(i * 1000 // {rows} AS INTEGER) AS joined
FROM range({rows}) t(i);
CREATE TABLE purchases AS
SELECT CAST(hash(i) % {units} AS INTEGER) AS uid, CAST(hash(i + 1) % 100 AS INTEGER) AS hundred,
       CAST(hash(i + 3) % 100000 AS DOUBLE) / 100 AS amount
FROM range({rows}) t(i);
