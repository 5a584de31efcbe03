CREATE TABLE people AS
SELECT CAST(i * 2654435761 % {modulus} AS bigint) AS pid,
       CAST(i * 2654435761 % 4294967296 / 65536 % 100 AS integer) AS age,
       CAST((i + 5) * 2654435761 % 4294967296 / 65536 % 50 AS integer) AS town,
       CAST((i + 9) * 2654435761 % 4294967296 / 65536 % 1500 AS {double}) / 10 AS weight,
       CAST(CAST((i + 7) * 2654435761 % 4294967296 % 9000000 AS decimal(12,2)) / 100 AS decimal(12,2)) AS income
FROM {numbers};
CREATE TABLE events AS
SELECT CAST(i * 2654435761 % 4294967296 % {units} AS bigint) AS uid,
       CAST((i + 1) * 2654435761 % 4294967296 / 65536 % 100 AS integer) AS hundred,
       CAST((i + 2) * 2654435761 % 4294967296 / 65536 % 30 AS integer) AS days,
       CAST((i + 3) * 2654435761 % 4294967296 % 100000 AS {double}) / 100 AS amount
FROM {numbers};
CREATE TABLE purchases AS SELECT * FROM events;
