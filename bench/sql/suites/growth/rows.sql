CREATE TABLE purchases AS
SELECT CAST(hash(i) % {units} AS INTEGER) AS uid, CAST(hash(i + 1) % 100 AS INTEGER) AS hundred,
       CAST(hash(i + 3) % 100000 AS DOUBLE) / 100 AS amount
FROM range({rows}) t(i);
