-- A small clinic of invented people, in the catalog `memory` of any Trino that has one (in another
-- catalog: replace the word). Each statement ends with a semicolon, as Trino's own client wants it:
--   trino --server localhost:8080 --file clinic.sql
CREATE SCHEMA memory.clinic;
CREATE TABLE memory.clinic.patients AS
SELECT 'P' || lpad(CAST(i AS varchar), 6, '0') AS ssn, CAST((i * 37) % 100 AS integer) AS age,
  CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END AS sex,
  element_at(ARRAY['Bonn', 'Ulm', 'Trier', 'Jena'], CAST(1 + (i * i) % 4 AS integer)) AS city,
  CAST(1000 + (i * 7919) % 90000 AS decimal(12,2)) AS income
FROM (SELECT 10000 * part + one AS i FROM UNNEST(sequence(0, 1)) AS parts(part)
  CROSS JOIN UNNEST(sequence(1, 10000)) AS ones(one)) AS numbers;
CREATE TABLE memory.clinic.visits AS
SELECT i AS visit_id, 'P' || lpad(CAST(1 + (i * 7) % 20000 AS varchar), 6, '0') AS patient_ssn,
  element_at(ARRAY['Emergency', 'Surgery', 'Radiology'], CAST(1 + i % 3 AS integer)) AS department,
  date_add('day', i % 366, DATE '2024-01-01') AS admitted,
  CAST((i * 31) % 5000 AS decimal(10,2)) AS cost
FROM (SELECT 10000 * part + one AS i FROM UNNEST(sequence(0, 5)) AS parts(part)
  CROSS JOIN UNNEST(sequence(1, 10000)) AS ones(one)) AS numbers;
