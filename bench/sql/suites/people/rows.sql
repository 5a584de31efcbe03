CREATE TABLE people AS
SELECT CAST((i * 7919) % {rows} AS INTEGER) AS pid, CAST(hash(i) % 100 AS INTEGER) AS age,
       CAST(hash(i + 5) % 50 AS INTEGER) AS town,
       CAST(hash(i + 9) % 9000000 AS DOUBLE) / 100 AS income
FROM range({rows}) t(i);
CREATE TABLE events AS
SELECT CAST(hash(i) % {units} AS INTEGER) AS uid, CAST(i % 10 AS INTEGER) AS ten,
       CAST(hash(i + 1) % 100 AS INTEGER) AS hundred,
       CAST(hash(i + 2) % 10000 AS INTEGER) AS many,
       CAST(hash(i + 3) % 100000 AS DOUBLE) / 100 AS amount,
       'the shop in the street number ' || (hash(i + 4) % 100) AS shop
FROM range({rows}) t(i);
CREATE TABLE purchases AS FROM events;
